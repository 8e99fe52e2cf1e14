require "spec"
require "log"
require "./support/clients"
require "./support/scripted_server"

ITEMS = ScriptedServer::ITEMS

# A socket that fails in its own way: at a call of its own or of the caller's choosing.
class FailingSocket < TCPSocket
  class_property calls_left = 0

  def unbuffered_read(slice : Bytes)
    fail_in_time
    super
  end

  def unbuffered_write(slice : Bytes)
    fail_in_time
    super
  end

  private def fail_in_time
    self.class.calls_left -= 1
    raise "no error of a socket" if self.class.calls_left == 0
  end
end

{% for name in %w[After Before] %}
  class Bincache::Failing{{name.id}} < Bincache::{{name.id}}
    private def open : TCPSocket
      connect FailingSocket.new(@host, @port)
    end
  end
{% end %}

def with_server(&)
  server = ScriptedServer.new
  begin
    yield server
  ensure
    server.stop
  end
end

describe "connections" do
  it "are given up after an exception of any kind between question and answer" do
    with_server do |server|
      [Bincache::FailingAfter.new("127.0.0.1", server.port), Bincache::FailingBefore.new("127.0.0.1", server.port)].each do |client|
        # Reads and writes of three operations, and one time after all of them.
        (1..14).each do |at|
          server.restore
          client.get("bob").should eq ITEMS["bob"]
          FailingSocket.calls_left = at
          raised = 0
          begin
            client.get_multi(["alice", "carol"])["alice"].should eq ITEMS["alice"]
            client.set("alice", "other")
            client.get("alice").should eq "other"
          rescue error
            raise error unless error.message == "no error of a socket"
            raised += 1
          end
          FailingSocket.calls_left = 0
          client.get("carol").should eq ITEMS["carol"]
          client.get_multi(["bob", "n"]).should eq({"bob" => ITEMS["bob"], "n" => "10"})
          raised.should eq 1 if at < 4
        end
        client.close
      end
    end
  end

  it "are given up when the log fails in the middle of an answer" do
    with_server do |server|
      with_client(Bincache::Fix::None, server.port) do |client|
        client.get("bob")
        failing = FailingLog.new
        ::Log.setup { |config| config.bind("*", :info, failing) }
        begin
          expect_raises(Exception, "the disk is full") { client.get("alice") }
          expect_raises(Exception, "the disk is full") { client.get_multi(["alice", "bob"]) }
        ensure
          ::Log.setup(:none)
        end
        client.get("carol").should eq ITEMS["carol"]
      end
    end
  end

  CLIENTS.each do |name, fixes|
    it "of #{name} stay when a block of the caller fails" do
      with_server do |server|
        with_client(fixes, server.port) do |client|
          expect_raises(Exception, "nothing to fetch") { client.fetch("zoe") { raise "nothing to fetch" } }
          client.get("carol").should eq ITEMS["carol"]
          # The block may ask itself.
          client.fetch("zoe") { client.get("bob") }.should eq ITEMS["bob"]
          client.get("zoe").should eq ITEMS["bob"]
          server.connections.should eq 1
        end
      end
    end

    it "of #{name} stay when the server says no" do
      with_server do |server|
        with_client(fixes, server.port) do |client|
          [0x02, 0x03, 0x06, 0x81, 0x85].each do |status|
            server.change(1, ScriptedServer::Script.new { |reply, _| ScriptedServer::Act.new(reply.fail(status).to_slice) })
            expect_raises(Bincache::ServerError, "0x#{status.to_s(16)}: the server says no") { client.get("alice") }
            client.get("carol").should eq ITEMS["carol"]
          end
          server.connections.should eq 1
        end
      end
    end

    it "of #{name} serve one fiber after the other" do
      with_server do |server|
        server.slow = true
        with_client(fixes, server.port, 20.seconds) do |client|
          wrong = [] of String
          done = Channel(Nil).new
          fibers = ITEMS.map do |key, item|
            spawn do
              20.times do |at|
                found = client.get(key)
                wrong << "#{key}: #{found}" if found != item
                found = client.get_multi([key, "zoe"])
                wrong << "#{key}: #{found}" if found != {key => item, "zoe" => nil}
                client.set("#{key}-#{at}", "#{item}-#{at}", expire: at)
                found = client.get("#{key}-#{at}")
                wrong << "#{key}-#{at}: #{found}" if found != "#{item}-#{at}"
              end
            rescue error
              wrong << "#{key}: #{error.inspect}"
            ensure
              done.send(nil)
            end
          end
          fibers.each { done.receive }
          wrong.should be_empty
          server.connections.should eq 1
        end
      end
    end
  end

  {"after" => nil, "before" => Bincache::Fix::None}.each do |name, fixes|
    it "of #{name} are not waited for forever, and others run meanwhile" do
      with_server do |server|
        with_client(fixes, server.port, 300.milliseconds) do |client|
          turns = 0
          waiting = true
          spawn do
            while waiting
              turns += 1
              sleep 10.milliseconds
            end
          end
          2.times do
            server.change(1, ScriptedServer::Script.new { |_, _| ScriptedServer::Act.new(Bytes.empty, silent: true) })
            expect_raises(Bincache::TimeoutError, "0.3 s") { client.get("alice") }
          end
          waiting = false
          turns.should be > 5
          client.get("bob").should eq ITEMS["bob"]
        end
      end
    end

    it "of #{name} send numbers as the protocol has them" do
      with_server do |server|
        with_client(fixes, server.port) do |client|
          client.flush(0x01020304)
          server.question[24..].should eq Bytes[1, 2, 3, 4]
          client.touch("bob", 0xffffffff_u32)
          server.question[24, 4].should eq Bytes[0xff, 0xff, 0xff, 0xff]
          client.set("bob", "b", 0x0a0b0c0d, 0x0102030405060708)
          server.question[16, 8].should eq Bytes[1, 2, 3, 4, 5, 6, 7, 8]
          server.question[24..].should eq Bytes[0, 0, 0, 0, 0x0a, 0x0b, 0x0c, 0x0d, 'b'.ord, 'o'.ord, 'b'.ord, 'b'.ord]
          client.decrement("n", -2, 3, 4)
          server.question[24, 20].should eq Bytes[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4]
        end
      end
    end
  end
end

# A log that cannot be written.
class FailingLog < ::Log::Backend
  def initialize
    super(:direct)
  end

  def write(entry : ::Log::Entry)
    raise "the disk is full"
  end
end
