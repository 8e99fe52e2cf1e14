# The client as it was: arrays of bytes, tables keyed by strings, buffers and an object for each answer, lines of log.
#
# What a request costs here, byte for byte, is what the published client costs. `src/fixes` mends it one by one.
require "log"
require "./bincache/exchange"
require "./bincache/response"

module Bincache
  Log = ::Log.for("bincache")

  class Before
    include Exchange

    REQUEST = 0x80_u8

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

    def initialize(@host = "localhost", @port = 11211, @timeout : Time::Span = 2.seconds)
    end

    def get(key : String) : String?
      turn do
        found = ask_for(key)
        found && String.new(found.value)
      end
    end

    def get_with_version(key : String) : {String, Int64}?
      turn do
        found = ask_for(key)
        found && {String.new(found.value), found.version}
      end
    end

    def get_multi(keys : Array(String)) : Hash(String, String?)
      keys.each { |key| check(key) }
      found = {} of String => String?
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
        answer = ask("set", bytes(key), bytes(value), flags_and_expiry(expire.to_u32), version.to_i64)
        raise failure(answer) unless answer.status?("ok")
        answer.version
      end
    end

    def delete(key : String) : Bool
      check(key)
      turn { done? ask("delete", bytes(key), nothing, nothing) }
    end

    def append(key : String, value : String) : Bool
      check(key)
      turn { done? ask("append", bytes(key), bytes(value), nothing) }
    end

    def prepend(key : String, value : String) : Bool
      check(key)
      turn { done? ask("prepend", bytes(key), bytes(value), nothing) }
    end

    def increment(key : String, by : Number = 1, initial : Number = 0, expire : Number = 0) : Int64?
      count("increment", key, by, initial, expire)
    end

    def decrement(key : String, by : Number = 1, initial : Number = 0, expire : Number = 0) : Int64?
      count("decrement", key, by, initial, expire)
    end

    def touch(key : String, expire : Number) : Bool
      check(key)
      turn { done? ask("touch", bytes(key), nothing, expiry(expire.to_u32)) }
    end

    def flush(delay : Number = 0) : Bool
      turn { done? ask("flush", nothing, nothing, expiry(delay.to_u32)) }
    end

    # What a message has nothing of.
    private def nothing
      Array(UInt8).new(0)
    end

    private def bytes(text : String)
      text.bytes
    end

    private def expiry(seconds : UInt32)
      [
        (seconds >> 24 & 0xff).to_u8, (seconds >> 16 & 0xff).to_u8,
        (seconds >> 8 & 0xff).to_u8, (seconds & 0xff).to_u8,
      ]
    end

    private def flags_and_expiry(seconds : UInt32)
      [
        0_u8, 0_u8, 0_u8, 0_u8,
        (seconds >> 24 & 0xff).to_u8, (seconds >> 16 & 0xff).to_u8,
        (seconds >> 8 & 0xff).to_u8, (seconds & 0xff).to_u8,
      ]
    end

    private def counting(by : Int64, initial : Int64, seconds : UInt32)
      [
        (by >> 56 & 0xff).to_u8, (by >> 48 & 0xff).to_u8, (by >> 40 & 0xff).to_u8, (by >> 32 & 0xff).to_u8,
        (by >> 24 & 0xff).to_u8, (by >> 16 & 0xff).to_u8, (by >> 8 & 0xff).to_u8, (by & 0xff).to_u8,
        (initial >> 56 & 0xff).to_u8, (initial >> 48 & 0xff).to_u8,
        (initial >> 40 & 0xff).to_u8, (initial >> 32 & 0xff).to_u8,
        (initial >> 24 & 0xff).to_u8, (initial >> 16 & 0xff).to_u8,
        (initial >> 8 & 0xff).to_u8, (initial & 0xff).to_u8,
        (seconds >> 24 & 0xff).to_u8, (seconds >> 16 & 0xff).to_u8,
        (seconds >> 8 & 0xff).to_u8, (seconds & 0xff).to_u8,
      ]
    end

    private def header(opcode : UInt8, key_size, extras_size, size, opaque : UInt32, version : Int64)
      [
        REQUEST, opcode, (key_size >> 8 & 0xff).to_u8, (key_size & 0xff).to_u8,
        extras_size.to_u8, 0_u8, 0_u8, 0_u8,
        (size >> 24 & 0xff).to_u8, (size >> 16 & 0xff).to_u8, (size >> 8 & 0xff).to_u8, (size & 0xff).to_u8,
        (opaque >> 24 & 0xff).to_u8, (opaque >> 16 & 0xff).to_u8, (opaque >> 8 & 0xff).to_u8, (opaque & 0xff).to_u8,
        (version >> 56 & 0xff).to_u8, (version >> 48 & 0xff).to_u8, (version >> 40 & 0xff).to_u8,
        (version >> 32 & 0xff).to_u8, (version >> 24 & 0xff).to_u8, (version >> 16 & 0xff).to_u8,
        (version >> 8 & 0xff).to_u8, (version & 0xff).to_u8,
      ]
    end

    private def head_room
      Bytes.new(Head::SIZE)
    end

    private def extras_room(size : Int32)
      Bytes.new(size)
    end

    private def body_room(size : Int32)
      Bytes.new(size)
    end

    # A part may come late: what has come is read, and put behind what was there.
    private def fill(socket, body : Bytes)
      missing = body.size
      while missing > 0
        part = Bytes.new(missing)
        came = socket.read(part)
        raise IO::EOFError.new if came == 0
        part[0, came].copy_to(body + (body.size - missing))
        missing -= came
      end
    end

    private def response(head : Head, body : Bytes, extras : Bytes)
      Response.new(head.status, head.opcode, head.key_size, body, extras, head.version)
    end

    private def note(head)
      Log.info { "an answer came" }
      Log.info { "#{head.size} bytes, #{head.extras_size} of extras, #{head.key_size} of key" }
      Log.info { "status #{head.status}" }
      nil
    end

    private def note_body(answer)
      Log.info { String.new(answer.body) }
    end

    private def ask_for(key)
      check(key)
      answer = ask("get", bytes(key), nothing, nothing)
      return answer if answer.status?("ok")
      answer.status?("no key") ? nil : raise failure(answer)
    end

    private def get_some(keys, first, count, found)
      exchange do |socket|
        opaque = @opaque &+ 1
        count.times do |place|
          key = keys[first + place]
          found[key] = nil
          write(socket, OPCODES["getkq"], bytes(key), nothing, nothing)
        end
        write(socket, OPCODES["noop"], nothing, nothing, nothing)
        socket.flush
        due = 0
        while due <= count
          answer = read(socket) { |head| due = 1 + place(head, opaque, count, due) }
          note_body(answer)
          next if answer.status?("no key") && due <= count
          raise failure(answer) unless answer.status?("ok")
          break if answer.opcode == OPCODES["noop"]
          key = String.new(answer.key)
          raise ProtocolError.new("asked for #{keys[first + due - 1]}, got #{key}") if key != keys[first + due - 1]
          found[key] = String.new(answer.value)
        end
      end
    end

    private def count(name, key, by, initial, expire) : Int64?
      check(key)
      turn do
        answer = ask(name, bytes(key), nothing, counting(by.to_i64, initial.to_i64, expire.to_u32))
        if answer.status?("ok")
          IO::ByteFormat::BigEndian.decode(Int64, answer.value)
        else
          answer.status?("no key") ? nil : raise failure(answer)
        end
      end
    end

    # Whether the server did it; false when it has no such item.
    private def done?(answer) : Bool
      return true if answer.status?("ok")
      answer.status?("no key") || answer.status?("not stored") ? false : raise failure(answer)
    end

    private def failure(answer) : ServerError
      Status.error(answer.status, String.new(answer.value))
    end

    private def ask(name, key, value, extras, version = 0_i64)
      exchange do |socket|
        opcode = OPCODES[name]
        opaque = write(socket, opcode, key, value, extras, version)
        socket.flush
        read(socket, &.check(opcode, opaque))
      end
    end

    private def write(socket, opcode, key, value, extras, version = 0_i64) : UInt32
      opaque = next_opaque
      head = header(opcode, key.size, extras.size, key.size + value.size + extras.size, opaque, version)
      send(socket, head)
      send(socket, extras)
      send(socket, key)
      send(socket, value)
      opaque
    end

    private def send(socket, part)
      socket.write(Slice.new(part.to_unsafe, part.size)) unless part.empty?
    end

    # Reads an answer; the block checks its head.
    private def read(socket, &)
      bytes = head_room
      socket.read_fully(bytes)
      head = Head.new(bytes)
      yield head
      note(head)
      extras = extras_room(head.extras_size)
      body = body_room(head.size - head.extras_size)
      socket.read_fully(extras)
      fill(socket, body)
      response(head, body, extras)
    end

    private def open : TCPSocket
      connect TCPSocket.new(@host, @port, connect_timeout: @timeout)
    rescue error : Socket::Error
      raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
    end
  end
end
