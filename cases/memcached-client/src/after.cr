# The client after all fixes: one buffer for heads, values read where they stay, no log on the way of a call.
require "socket"
require "./bincache/connection"
require "./bincache/errors"

module Bincache
  enum Opcode : UInt8
    Get       = 0x00
    Set       = 0x01
    Delete    = 0x04
    Increment = 0x05
    Decrement = 0x06
    Flush     = 0x08
    Noop      = 0x0a
    GetQuiet  = 0x09
    Append    = 0x0e
    Prepend   = 0x0f
    Touch     = 0x1c
  end

  # The head of an answer.
  record Head, opcode : UInt8, key_size : Int32, extras_size : Int32, status : UInt16, size : Int32, mark : UInt32,
    version : Int64 do
    # What stands behind extras and key.
    def value_size : Int32
      size - extras_size - key_size
    end
  end

  class Client
    # Keys asked for before answers are read: neither side's buffers fill up while both write.
    WINDOW = 512

    @socket : Connection?
    # Head and extras of a question, then the head of its answer.
    @buffer = Bytes.new(64)

    def initialize(@host = "localhost", @port = 11211, @timeout : Time::Span = 2.seconds)
    end

    def get(key : String) : String?
      get_with_version(key).try &.first
    end

    def get_with_version(key : String) : {String, Int64}?
      ask(Opcode::Get, key) do |socket, head|
        {text(socket, head), head.version}
      end
    end

    def get_multi(keys : Array(String)) : Hash(String, String?)
      keys.each { |key| check(key) }
      found = Hash(String, String?).new(initial_capacity: keys.size)
      keys.each { |key| found[key] = nil }
      connected do |socket|
        first = 0
        while first < keys.size
          count = Math.min(WINDOW, keys.size - first)
          count.times { |at| write(socket, Opcode::GetQuiet, keys[first + at], mark: (first + at).to_u32) }
          write(socket, Opcode::Noop, nil)
          socket.flush
          loop do
            head = read(socket)
            break if head.opcode == Opcode::Noop.value
            done?(socket, head)
            key = keys[head.mark]? || raise ProtocolError.new("an answer to nothing that was asked")
            found[key] = text(socket, head)
          end
          first += count
        end
      end
      found
    end

    def fetch(key : String, expire : Int32 = 0, &) : String
      get(key) || yield.tap { |value| set(key, value, expire) }
    end

    def set(key : String, value : String, expire : Int32 = 0, version : Int64 = 0_i64) : Int64?
      put(0_u32, 0)
      put(expire.to_u32, 4)
      ask(Opcode::Set, key, value, 8, version) do |socket, head|
        pass(socket, head.size)
        head.version
      end
    end

    def delete(key : String) : Bool
      did?(Opcode::Delete, key)
    end

    def append(key : String, value : String) : Bool
      did?(Opcode::Append, key, value)
    end

    def prepend(key : String, value : String) : Bool
      did?(Opcode::Prepend, key, value)
    end

    def increment(key : String, by : Int64 = 1_i64, initial : Int64 = 0_i64, expire : Int32 = 0) : Int64?
      count(Opcode::Increment, key, by, initial, expire)
    end

    def decrement(key : String, by : Int64 = 1_i64, initial : Int64 = 0_i64, expire : Int32 = 0) : Int64?
      count(Opcode::Decrement, key, by, initial, expire)
    end

    def touch(key : String, expire : Int32) : Bool
      put(expire.to_u32, 0)
      did?(Opcode::Touch, key, nil, 4)
    end

    def flush(delay : Int32 = 0) : Bool
      put(delay.to_u32, 0)
      did?(Opcode::Flush, nil, nil, 4)
    end

    def close : Nil
      @socket.try(&.close)
      @socket = nil
    end

    private def count(opcode, key, by, initial, expire)
      put(by.to_u64, 0)
      put(initial.to_u64, 8)
      put(expire.to_u32, 16)
      ask(opcode, key, nil, 20) do |socket, head|
        raise ProtocolError.new("a counter of #{head.value_size} bytes") if head.value_size != 8
        pass(socket, head.size - 8)
        answer = @buffer[24, 8]
        socket.read_fully(answer)
        IO::ByteFormat::BigEndian.decode(Int64, answer)
      end
    end

    private def did?(opcode, key, value = nil, extras_size = 0) : Bool
      done = ask(opcode, key, value, extras_size) do |socket, head|
        pass(socket, head.size)
        true
      end
      !done.nil?
    end

    # Puts a number among the extras of the next question.
    private def put(number, at)
      IO::ByteFormat::BigEndian.encode(number, @buffer[24 + at, sizeof(typeof(number))])
    end

    private def check(key)
      raise KeyError.new("the key is empty") if key.empty?
      if key.bytesize > LONGEST_KEY
        raise KeyError.new("the key has #{key.bytesize} bytes; the protocol allows #{LONGEST_KEY}")
      end
    end

    # Asks, and yields the head of the answer when the server did it; nil when it has no such item, or another version.
    private def ask(opcode, key, value = nil, extras_size = 0, version = 0_i64, &)
      check(key) if key
      connected do |socket|
        write(socket, opcode, key, value, extras_size, version)
        socket.flush
        head = read(socket)
        done?(socket, head) ? yield(socket, head) : nil
      end
    end

    private def write(socket, opcode, key, value = nil, extras_size = 0, version = 0_i64, mark = 0_u32)
      key_size = key ? key.bytesize : 0
      size = extras_size + key_size + (value ? value.bytesize : 0)
      head = @buffer
      head[0] = 0x80_u8
      head[1] = opcode.value
      IO::ByteFormat::BigEndian.encode(key_size.to_u16, head[2, 2])
      head[4] = extras_size.to_u8
      head[5] = 0_u8
      IO::ByteFormat::BigEndian.encode(0_u16, head[6, 2])
      IO::ByteFormat::BigEndian.encode(size.to_u32, head[8, 4])
      IO::ByteFormat::BigEndian.encode(mark, head[12, 4])
      IO::ByteFormat::BigEndian.encode(version, head[16, 8])
      socket.write(head[0, 24 + extras_size])
      socket.write(key.to_slice) if key
      socket.write(value.to_slice) if value
    end

    private def read(socket) : Head
      bytes = @buffer[0, 24]
      socket.read_fully(bytes)
      if bytes[0] != 0x81
        raise ProtocolError.new("expected an answer that begins with 0x81, found 0x#{bytes[0].to_s(16)}")
      end
      size = IO::ByteFormat::BigEndian.decode(UInt32, bytes[8, 4])
      raise ProtocolError.new("an answer of #{size} bytes") if size > LARGEST_BODY
      head = Head.new(
        opcode: bytes[1],
        key_size: IO::ByteFormat::BigEndian.decode(UInt16, bytes[2, 2]).to_i,
        extras_size: bytes[4].to_i,
        status: IO::ByteFormat::BigEndian.decode(UInt16, bytes[6, 2]),
        size: size.to_i,
        mark: IO::ByteFormat::BigEndian.decode(UInt32, bytes[12, 4]),
        version: IO::ByteFormat::BigEndian.decode(Int64, bytes[16, 8])
      )
      raise ProtocolError.new("an answer whose parts are larger than it is") if head.value_size < 0
      head
    end

    # Whether the server did it. What it says of the reason is read, so that the next answer follows.
    private def done?(socket, head) : Bool
      case head.status
      when 0x0000
        true
      when 0x0001, 0x0002, 0x0005
        pass(socket, head.size)
        false
      when 0x0003
        raise ValueTooLarge.new(text(socket, head))
      else
        raise ServerError.new("status 0x#{head.status.to_s(16)}: #{text(socket, head)}")
      end
    end

    # The value, read to where it stays.
    private def text(socket, head) : String
      pass(socket, head.size - head.value_size)
      String.new(head.value_size) do |bytes|
        socket.read_fully(Slice.new(bytes, head.value_size))
        {head.value_size, 0}
      end
    end

    private def pass(socket, bytes)
      socket.skip(bytes) if bytes > 0
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
      socket = Connection.new(@host, @port, connect_timeout: @timeout)
      socket.tcp_nodelay = true
      socket.sync = false
      socket.read_timeout = @timeout
      socket.write_timeout = @timeout
      socket
    rescue error : Socket::Error
      raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
    end
  end
end
