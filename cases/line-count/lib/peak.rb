# frozen_string_literal: true

# Says at the end how much memory the program had resident at most, in bytes, on standard error: `ruby -r./lib/peak …`.
at_exit { warn File.read('/proc/self/status')[/VmHWM:\s+(\d+) kB/, 1].to_i * 1024 }
