require "socket"

# A memcached of its own for the specs, on a port that is free.
class Server
  getter port : Int32
  @process : Process?

  def initialize
    @port = Server.free_port
    start
  end

  def self.free_port : Int32
    server = TCPServer.new("127.0.0.1", 0)
    port = server.local_address.port
    server.close
    port
  end

  def start : Nil
    arguments = ["-l", "127.0.0.1", "-p", @port.to_s, "-U", "0", "-m", "64", "-t", "1"]
    # It refuses to run as root without another name.
    arguments += ["-u", "nobody"] if LibC.getuid == 0
    @process = Process.new("memcached", arguments)
    wait_until_up
  end

  def stop : Nil
    @process.try do |process|
      process.terminate
      process.wait
    end
    @process = nil
  end

  def restart : Nil
    stop
    start
  end

  private def wait_until_up
    200.times do
      TCPSocket.new("127.0.0.1", @port, connect_timeout: 1.second).close
      return
    rescue Socket::Error
      sleep 20.milliseconds
    end
    raise "memcached does not answer on port #{@port}"
  end
end
