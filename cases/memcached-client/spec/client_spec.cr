require "spec"
require "../src/client"
require "./support/server"

{% if flag?(:before) %}
  # Its log is not what is tried here.
  ::Log.setup_from_env(default_level: :none)
{% end %}

SERVER = Server.new
Spec.after_suite { SERVER.stop }

def with_client(port = SERVER.port, timeout = 2.seconds, &)
  client = Bincache::Client.new("127.0.0.1", port, timeout)
  begin
    yield client
  ensure
    client.close
  end
end

# The head of an answer to a get, with what is wrong about it.
def answer(magic = 0x81_u8, size = 4 + 5, extras = 4_u8, key = 0_u16, status = 0_u16, body = "\0\0\0\0hello") : Bytes
  io = IO::Memory.new
  io.write_bytes(magic)
  io.write_bytes(0_u8)
  io.write_bytes(key, IO::ByteFormat::BigEndian)
  io.write_bytes(extras)
  io.write_bytes(0_u8)
  io.write_bytes(status, IO::ByteFormat::BigEndian)
  io.write_bytes(size, IO::ByteFormat::BigEndian)
  io.write_bytes(0_u32)
  io.write_bytes(7_i64, IO::ByteFormat::BigEndian)
  io << body
  io.to_slice
end

def with_liar(answer : Bytes, close = true, &)
  liar = Liar.new(answer, close)
  begin
    with_client(liar.port, 300.milliseconds) { |client| yield client }
  ensure
    liar.stop
  end
end

describe Bincache::Client do
  before_each { with_client(&.flush) }

  it "gets what was set" do
    with_client do |client|
      client.get("a").should be_nil
      client.set("a", "value").should_not be_nil
      client.get("a").should eq "value"
    end
  end

  it "keeps every byte" do
    with_client do |client|
      ["", "\0\r\n", "größer 💎", "x" * 100_000].each do |value|
        client.set("bytes", value)
        client.get("bytes").should eq value
      end
    end
  end

  it "sets only the version it knows" do
    with_client do |client|
      first = client.set("a", "one").not_nil!
      value, version = client.get_with_version("a").not_nil!
      {value, version}.should eq({"one", first})
      second = client.set("a", "two", version: version).not_nil!
      second.should_not eq first
      client.set("a", "three", version: first).should be_nil
      client.get("a").should eq "two"
      client.get_with_version("b").should be_nil
    end
  end

  it "lets items expire" do
    with_client do |client|
      client.set("brief", "value", expire: 1)
      client.set("long", "value", expire: 100)
      client.touch("touched", 1).should be_false
      client.set("touched", "value")
      client.touch("touched", 1).should be_true
      sleep 2.1.seconds
      client.get("brief").should be_nil
      client.get("touched").should be_nil
      client.get("long").should eq "value"
    end
  end

  it "gets many at once" do
    with_client do |client|
      keys = Array.new(3_000) { |at| "key-#{at}" }
      keys.each_with_index { |key, at| client.set(key, "value-#{at}") if at.odd? }
      found = client.get_multi(keys)
      found.size.should eq 3_000
      found["key-1"].should eq "value-1"
      found["key-2999"].should eq "value-2999"
      found["key-2"].should be_nil
      found.has_key?("key-2").should be_true
      client.get_multi([] of String).should be_empty
    end
  end

  it "deletes" do
    with_client do |client|
      client.set("a", "value")
      client.delete("a").should be_true
      client.delete("a").should be_false
      client.get("a").should be_nil
    end
  end

  it "appends and prepends" do
    with_client do |client|
      client.append("a", "!").should be_false
      client.prepend("a", "!").should be_false
      client.set("a", "b")
      client.append("a", "c").should be_true
      client.prepend("a", "a").should be_true
      client.get("a").should eq "abc"
    end
  end

  it "counts" do
    with_client do |client|
      client.increment("n", by: 5, initial: 10).should eq 10
      client.increment("n", by: 5).should eq 15
      client.decrement("n", by: 2).should eq 13
      client.decrement("n", by: 100).should eq 0
      client.set("word", "word")
      expect_raises(Bincache::ServerError, /6/) { client.increment("word") }
      client.increment("n").should eq 1
    end
  end

  it "fetches, and makes what is not there" do
    with_client do |client|
      calls = 0
      client.fetch("a") { calls += 1; "made" }.should eq "made"
      client.fetch("a") { calls += 1; "again" }.should eq "made"
      calls.should eq 1
      client.get("a").should eq "made"
    end
  end

  it "flushes" do
    with_client do |client|
      client.set("a", "value")
      client.flush.should be_true
      client.get("a").should be_nil
    end
  end

  it "refuses keys that the protocol does not know" do
    with_client do |client|
      long = "k" * 251
      expect_raises(Bincache::KeyError, "251 bytes") { client.get(long) }
      expect_raises(Bincache::KeyError, "251 bytes") { client.set(long, "value") }
      expect_raises(Bincache::KeyError, "251 bytes") { client.get_multi(["a", long]) }
      expect_raises(Bincache::KeyError, "empty") { client.delete("") }
      longest = "k" * 250
      client.set(longest, "value")
      client.get(longest).should eq "value"
    end
  end

  it "says that a value is too large, and goes on" do
    with_client do |client|
      expect_raises(Bincache::ValueTooLarge) { client.set("a", "x" * 2_000_000) }
      client.set("a", "small")
      client.get("a").should eq "small"
    end
  end

  it "comes back after the server was started again" do
    with_client do |client|
      client.set("a", "value")
      SERVER.restart
      expect_raises(Bincache::ConnectionError, SERVER.port.to_s) { client.get("a") }
      client.get("a").should be_nil
      client.set("a", "again")
      client.get("a").should eq "again"
    end
  end

  it "says that nobody answers" do
    port = Server.free_port
    with_client(port) do |client|
      expect_raises(Bincache::ConnectionError, port.to_s) { client.get("a") }
    end
  end

  it "does not wait for ever" do
    with_liar(Bytes.empty, close: false) do |client|
      took = Time.measure do
        expect_raises(Bincache::TimeoutError, "0.3 s") { client.get("a") }
      end
      took.should be < 2.seconds
    end
  end

  it "answers after a rest that was longer than its timeout" do
    with_client(timeout: 200.milliseconds) do |client|
      client.set("a", "value")
      client.get("a").should eq "value"
      sleep 0.7.seconds
      client.get("a").should eq "value"
      client.set("b", "x" * 900_000)
      client.get("b").should eq "x" * 900_000
      sleep 0.5.seconds
      100.times { client.get("a").should eq "value" }
    end
  end

  it "lets other fibers run while it waits, and times out again and again" do
    with_liar(Bytes.empty, close: false) do |client|
      turns = 0
      waiting = true
      spawn do
        while waiting
          turns += 1
          sleep 10.milliseconds
        end
      end
      2.times { expect_raises(Bincache::TimeoutError, "0.3 s") { client.get("a") } }
      waiting = false
      turns.should be > 10
    end
  end

  it "says that an answer was cut off" do
    [0, 1, 23, 24, 26, 30].each do |bytes|
      with_liar(answer[0, bytes]) do |client|
        expect_raises(Bincache::ConnectionError) { client.get("a") }
      end
      with_liar(answer[0, bytes], close: false) do |client|
        expect_raises(Bincache::TimeoutError) { client.get("a") }
      end
    end
  end

  it "says that an answer is none of the protocol" do
    with_liar(answer(magic: 0x80_u8)) do |client|
      expect_raises(Bincache::ProtocolError, "found 0x80") { client.get("a") }
    end
    with_liar("HTTP/1.1 400 Bad Request\r\n\r\n".to_slice) do |client|
      expect_raises(Bincache::ProtocolError, "found 0x48") { client.get("a") }
    end
    with_liar(answer(size: Int32::MAX)) do |client|
      expect_raises(Bincache::ProtocolError, "2147483647 bytes") { client.get("a") }
    end
    with_liar(answer(key: 6_u16)) do |client|
      expect_raises(Bincache::ProtocolError, "larger than it is") { client.get("a") }
    end
    with_liar(answer(status: 0x81_u16)) do |client|
      expect_raises(Bincache::ServerError, "0x81") { client.get("a") }
    end
  end

  it "reads a whole answer of another server" do
    with_liar(answer) { |client| client.get_with_version("a").should eq({"hello", 7}) }
  end
end
