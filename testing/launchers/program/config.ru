require_relative 'rows'
run ->(_) { [200, { 'content-type' => 'text/plain' }, [Process.pid.to_s]] }
