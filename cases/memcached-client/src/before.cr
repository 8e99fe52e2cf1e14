# The client as it was: arrays of bytes, tables keyed by strings, a line of log for each call.
#
# What `fixes` has is mended one by one, so that what each saves can be measured by itself.
require "log"
require "socket"
require "./bincache/errors"
require "./bincache/response"

module Bincache
  Log = ::Log.for("bincache")

  MAGIC   = {"request" => 0x80_u8, "answer" => 0x81_u8}
  OPCODES = {
    "get"       => 0x00_u8,
    "set"       => 0x01_u8,
    "delete"    => 0x04_u8,
    "increment" => 0x05_u8,
    "decrement" => 0x06_u8,
    "flush"     => 0x08_u8,
    "noop"      => 0x0a_u8,
    "getkq"     => 0x0d_u8,
    "append"    => 0x0e_u8,
    "prepend"   => 0x0f_u8,
    "touch"     => 0x1c_u8,
  }
  STATUSES = {
    "ok"           => 0x0000_u16,
    "no key"       => 0x0001_u16,
    "key exists"   => 0x0002_u16,
    "too large"    => 0x0003_u16,
    "bad argument" => 0x0004_u16,
    "not stored"   => 0x0005_u16,
    "no number"    => 0x0006_u16,
  }

  class Client
    @socket : TCPSocket?

    def initialize(@host = "localhost", @port = 11211, @timeout : Time::Span = 2.seconds)
    end

    def get(key : String) : String?
      note "get", key
      ask("get", key, nothing, nothing).try { |answer| String.new(answer.value) }
    end

    def get_with_version(key : String) : {String, Int64}?
      note "get_with_version", key
      ask("get", key, nothing, nothing).try { |answer| {String.new(answer.value), answer.version} }
    end

    def get_multi(keys : Array(String)) : Hash(String, String?)
      note "get_multi", keys.size
      found = {} of String => String?
      keys.each { |key| found[key] = nil }
      connected do |socket|
        # Never so many that both sides wait for each other with full buffers.
        keys.each_slice(512) do |some|
          some.each { |key| write(socket, "getkq", checked(key).bytes, nothing, nothing, 0_i64) }
          write(socket, "noop", nothing, nothing, nothing, 0_i64)
          loop do
            answer = read(socket)
            break if answer.opcode == OPCODES["noop"]
            verify(answer)
            found[String.new(answer.key)] = String.new(answer.value)
          end
        end
      end
      found
    end

    def fetch(key : String, expire : Int32 = 0, &) : String
      get(key) || yield.tap { |value| set(key, value, expire) }
    end

    def set(key : String, value : String, expire : Int32 = 0, version : Int64 = 0_i64) : Int64?
      note "set", key
      extras = number(0_u32, 4) + number(expire.to_u32, 4)
      ask("set", key, value.bytes, extras, version).try(&.version)
    end

    def delete(key : String) : Bool
      note "delete", key
      !ask("delete", key, nothing, nothing).nil?
    end

    def append(key : String, value : String) : Bool
      note "append", key
      !ask("append", key, value.bytes, nothing).nil?
    end

    def prepend(key : String, value : String) : Bool
      note "prepend", key
      !ask("prepend", key, value.bytes, nothing).nil?
    end

    def increment(key : String, by : Int64 = 1_i64, initial : Int64 = 0_i64, expire : Int32 = 0) : Int64?
      count("increment", key, by, initial, expire)
    end

    def decrement(key : String, by : Int64 = 1_i64, initial : Int64 = 0_i64, expire : Int32 = 0) : Int64?
      count("decrement", key, by, initial, expire)
    end

    def touch(key : String, expire : Int32) : Bool
      note "touch", key
      !ask("touch", key, nothing, number(expire.to_u32, 4)).nil?
    end

    def flush(delay : Int32 = 0) : Bool
      note "flush", delay
      !ask("flush", nil, nothing, number(delay.to_u32, 4)).nil?
    end

    def close : Nil
      @socket.try(&.close)
      @socket = nil
    end

    private def note(name, key)
      Log.info { "#{name} #{key}" }
    end

    private def note_answer(name, answer)
      Log.info { "#{name}: status #{answer.status}, #{answer.value.size} bytes" }
    end

    # What a message has nothing of.
    private def nothing
      Array(UInt8).new(0)
    end

    private def count(name, key, by, initial, expire)
      note name, key
      extras = number(by.to_u64, 8) + number(initial.to_u64, 8) + number(expire.to_u32, 4)
      answer = ask(name, key, nothing, extras)
      answer && IO::ByteFormat::BigEndian.decode(Int64, answer.value)
    end

    # A number as the protocol has it, highest byte first.
    private def number(value, bytes)
      Array(UInt8).new(bytes) { |at| (value >> (8 * (bytes - 1 - at)) & 0xff).to_u8 }
    end

    private def checked(key)
      raise KeyError.new("the key is empty") if key.empty?
      if key.bytesize > LONGEST_KEY
        raise KeyError.new("the key has #{key.bytesize} bytes; the protocol allows #{LONGEST_KEY}")
      end
      key
    end

    # Asks and reads the answer; nil when the server says that it has no such item, or another version of it.
    private def ask(name, key, value, extras, version = 0_i64) : Response?
      bytes = key ? checked(key).bytes : nothing
      answer = connected do |socket|
        write(socket, name, bytes, value, extras, version)
        read(socket)
      end
      note_answer name, answer
      verify(answer) ? answer : nil
    end

    private def write(socket, name, key, value, extras, version)
      size = key.size + value.size + extras.size
      header = [
        MAGIC["request"], OPCODES[name], (key.size >> 8).to_u8, (key.size & 0xff).to_u8,
        extras.size.to_u8, 0_u8, 0_u8, 0_u8,
        (size >> 24 & 0xff).to_u8, (size >> 16 & 0xff).to_u8, (size >> 8 & 0xff).to_u8, (size & 0xff).to_u8,
        0_u8, 0_u8, 0_u8, 0_u8,
        (version >> 56 & 0xff).to_u8, (version >> 48 & 0xff).to_u8, (version >> 40 & 0xff).to_u8,
        (version >> 32 & 0xff).to_u8, (version >> 24 & 0xff).to_u8, (version >> 16 & 0xff).to_u8,
        (version >> 8 & 0xff).to_u8, (version & 0xff).to_u8,
      ]
      # Sockets send what they are given at once, unless they are told otherwise.
      [header, extras, key, value].each do |part|
        socket.write(Slice.new(part.to_unsafe, part.size)) unless part.empty?
      end
    end

    private def read(socket) : Response
      header = Bytes.new(24)
      socket.read_fully(header)
      if header[0] != MAGIC["answer"]
        raise ProtocolError.new("expected an answer that begins with 0x81, found 0x#{header[0].to_s(16)}")
      end
      size = IO::ByteFormat::BigEndian.decode(UInt32, header[8, 4])
      raise ProtocolError.new("an answer of #{size} bytes") if size > LARGEST_BODY
      key_size = IO::ByteFormat::BigEndian.decode(UInt16, header[2, 2])
      extras_size = header[4]
      if key_size.to_u32 + extras_size > size
        raise ProtocolError.new("an answer whose parts are larger than it is")
      end
      body = Bytes.new(size)
      socket.read_fully(body)
      key = body[extras_size, key_size]
      value = kept(body[(extras_size + key_size)..])
      Response.new(
        header[1], IO::ByteFormat::BigEndian.decode(UInt16, header[6, 2]),
        IO::ByteFormat::BigEndian.decode(Int64, header[16, 8]), key, value
      )
    end

    # The part of a body that an answer keeps.
    private def kept(part)
      part.dup
    end

    # Whether the server did it.
    private def verify(answer)
      case answer.status
      when STATUSES["ok"]
        true
      when STATUSES["no key"], STATUSES["key exists"], STATUSES["not stored"]
        false
      when STATUSES["too large"]
        raise ValueTooLarge.new(String.new(answer.value))
      else
        raise ServerError.new("status 0x#{answer.status.to_s(16)}: #{String.new(answer.value)}")
      end
    end

    # Whatever goes wrong on the way leaves answers of earlier questions behind: the connection is given up.
    private def connected(&)
      socket = @socket ||= open
      yield socket
    rescue error : IO::TimeoutError
      close
      raise TimeoutError.new("no answer from #{@host}:#{@port} within #{@timeout.total_seconds} s", cause: error)
    rescue error : IO::Error
      close
      raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
    rescue error : ProtocolError
      close
      raise error
    end

    private def open
      socket = TCPSocket.new(@host, @port, connect_timeout: @timeout)
      socket.tcp_nodelay = true
      socket.read_timeout = @timeout
      socket.write_timeout = @timeout
      socket
    rescue error : Socket::Error
      raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
    end
  end
end
