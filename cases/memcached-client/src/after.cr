# The client after all fixes: one buffer for heads, values read to where they stay, no log on the way of a request.
require "./bincache/connection"
require "./bincache/exchange"

module Bincache
  class After
    include Exchange

    # Head and extras of a question; then the head of its answer, and after it the key.
    @buffer = Bytes.new(LONGEST_KEY)

    def initialize(@host = "localhost", @port = 11211, @timeout : Time::Span = 2.seconds)
    end

    def get(key : String) : String?
      check(key)
      turn { ask(Opcode::Get, key) { |socket, head| text(socket, head) } }
    end

    def get_with_version(key : String) : {String, Int64}?
      check(key)
      turn { ask(Opcode::Get, key) { |socket, head| {text(socket, head), head.version} } }
    end

    def get_multi(keys : Array(String)) : Hash(String, String?)
      keys.each { |key| check(key) }
      found = Hash(String, String?).new(initial_capacity: keys.size)
      first = 0
      turn do
        while first < keys.size
          count = window(keys, first)
          get_some(keys, first, count, found)
          first += count
        end
      end
      found
    end

    # Nothing is kept when the block gives nil.
    def fetch(key : String, expire : Number = 0, version : Number = 0, &) : String?
      found = get(key)
      return found if found
      made = yield
      set(key, made, expire, version) if made
      made
    end

    # The new version. With a version, only that one is replaced.
    def set(key : String, value : String, expire : Number = 0, version : Number = 0) : Int64
      check(key)
      turn do
        put(0_u32, 0)
        put(expire.to_u32, 4)
        written = ask(Opcode::Set, key, value, 8, version.to_i64, needed: true) do |socket, head|
          pass(socket, head.size)
          head.version
        end
        written.not_nil!
      end
    end

    def delete(key : String) : Bool
      check(key)
      turn { done?(Opcode::Delete, key) }
    end

    def append(key : String, value : String) : Bool
      check(key)
      turn { done?(Opcode::Append, key, value) }
    end

    def prepend(key : String, value : String) : Bool
      check(key)
      turn { done?(Opcode::Prepend, key, value) }
    end

    def increment(key : String, by : Number = 1, initial : Number = 0, expire : Number = 0) : Int64?
      count(Opcode::Increment, key, by, initial, expire)
    end

    def decrement(key : String, by : Number = 1, initial : Number = 0, expire : Number = 0) : Int64?
      count(Opcode::Decrement, key, by, initial, expire)
    end

    def touch(key : String, expire : Number) : Bool
      check(key)
      turn do
        put(expire.to_u32, 0)
        done?(Opcode::Touch, key, nil, 4)
      end
    end

    def flush(delay : Number = 0) : Bool
      turn do
        put(delay.to_u32, 0)
        done?(Opcode::Flush, nil, nil, 4)
      end
    end

    private def get_some(keys, first, count, found)
      exchange do |socket|
        opaque = @opaque &+ 1
        count.times do |place|
          key = keys[first + place]
          found[key] = nil
          write(socket, Opcode::GetKQ, key)
        end
        write(socket, Opcode::Noop, nil)
        socket.flush
        due = 0
        while due <= count
          head = read(socket)
          place = place(head, opaque, count, due)
          due = place + 1
          if head.ok?
            next if place == count
            key = keys[first + place]
            check_key(socket, head, key)
            found[key] = value(socket, head)
          elsif head.status == Status::NO_KEY && place < count
            pass(socket, head.size)
          else
            raise failure(socket, head)
          end
        end
      end
    end

    private def count(opcode, key, by, initial, expire) : Int64?
      check(key)
      turn do
        put(by.to_i64, 0)
        put(initial.to_i64, 8)
        put(expire.to_u32, 16)
        ask(opcode, key, nil, 20) do |socket, head|
          pass(socket, head.extras_size)
          bytes = @buffer[0, 8]
          socket.read_fully(bytes)
          IO::ByteFormat::BigEndian.decode(Int64, bytes)
        end
      end
    end

    # Whether the server did it; false when it has no such item.
    private def done?(opcode, key, value = nil, extras_size = 0) : Bool
      done = ask(opcode, key, value, extras_size) do |socket, head|
        pass(socket, head.size)
        true
      end
      !done.nil?
    end

    # Puts a number among the extras of the next question.
    private def put(number, at)
      IO::ByteFormat::BigEndian.encode(number, @buffer[Head::SIZE + at, sizeof(typeof(number))])
    end

    # Asks, and yields the head of the answer when the server did it; nil when it has no such item, unless that is needed.
    private def ask(opcode, key, value = nil, extras_size = 0, version = 0_i64, needed = false, &)
      failure = nil
      answer = exchange do |socket|
        opaque = write(socket, opcode, key, value, extras_size, version)
        socket.flush
        head = read(socket)
        head.check(opcode.value, opaque)
        if head.ok?
          yield socket, head
        elsif !needed && (head.status == Status::NO_KEY || head.status == Status::NOT_STORED)
          pass(socket, head.size)
          nil
        else
          failure = failure(socket, head)
          nil
        end
      end
      # The whole answer was read: the connection stays.
      failure ? raise failure : answer
    end

    private def write(socket, opcode, key, value = nil, extras_size = 0, version = 0_i64) : UInt32
      opaque = next_opaque
      key_size = key ? key.bytesize : 0
      head = @buffer
      head[0] = 0x80_u8
      head[1] = opcode.value
      IO::ByteFormat::BigEndian.encode(key_size.to_u16, head[2, 2])
      head[4] = extras_size.to_u8
      # The kind of data, and which part of the server is meant: this protocol has one of each.
      head[5] = head[6] = head[7] = 0_u8
      IO::ByteFormat::BigEndian.encode((extras_size + key_size + (value ? value.bytesize : 0)).to_u32, head[8, 4])
      IO::ByteFormat::BigEndian.encode(opaque, head[12, 4])
      IO::ByteFormat::BigEndian.encode(version, head[16, 8])
      socket.write(head[0, Head::SIZE + extras_size])
      socket.write(key.to_slice) if key
      socket.write(value.to_slice) if value
      opaque
    end

    private def read(socket) : Head
      bytes = @buffer[0, Head::SIZE]
      socket.read_fully(bytes)
      Head.new(bytes)
    end

    # Reads the key of an answer, which must be the one that was asked for.
    private def check_key(socket, head, key)
      pass(socket, head.extras_size)
      raise ProtocolError.new("an answer of another key than #{key}") if head.key_size != key.bytesize
      bytes = @buffer[0, head.key_size]
      socket.read_fully(bytes)
      raise ProtocolError.new("an answer of another key than #{key}") if bytes != key.to_slice
    end

    # Reads what the server says of the reason, so that the next answer follows.
    private def failure(socket, head) : ServerError
      Status.error(head.status, text(socket, head))
    end

    private def text(socket, head) : String
      pass(socket, head.size - head.value_size)
      value(socket, head)
    end

    # The value, read to where it stays.
    private def value(socket, head) : String
      String.new(head.value_size) do |bytes|
        socket.read_fully(Slice.new(bytes, head.value_size))
        {head.value_size, 0}
      end
    end

    private def pass(socket, bytes)
      socket.skip(bytes) if bytes > 0
    end

    private def open : TCPSocket
      connect Connection.new(@host, @port, connect_timeout: @timeout)
    rescue error : Socket::Error
      raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
    end
  end
end
