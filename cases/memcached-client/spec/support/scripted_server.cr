require "socket"
require "../../src/bincache/head"

# An answer before it is sent; a script may change anything about it.
class Reply
  property magic = 0x81_u8
  property opcode : UInt8
  property opaque : UInt32
  property status = 0_u16
  property version = 0_i64
  property extras = Bytes.empty
  property key = Bytes.empty
  property value = Bytes.empty
  # What the head says, where that is not so.
  property size : UInt32?
  property key_size : UInt16?
  property extras_size : UInt8?

  def initialize(@opcode, @opaque)
  end

  def fail(status, reason = "the server says no") : self
    @status = status.to_u16
    @extras = @key = Bytes.empty
    @value = reason.to_slice
    self
  end

  def to_slice : Bytes
    io = IO::Memory.new
    big = IO::ByteFormat::BigEndian
    io.write_byte @magic
    io.write_byte @opcode
    io.write_bytes (@key_size || @key.size.to_u16), big
    io.write_byte(@extras_size || @extras.size.to_u8)
    io.write_byte 0_u8
    io.write_bytes @status, big
    io.write_bytes (@size || (@extras.size + @key.size + @value.size).to_u32), big
    io.write_bytes @opaque, big
    io.write_bytes @version, big
    io.write @extras
    io.write @key
    io.write @value
    io.to_slice
  end
end

# A server of the binary protocol that answers truly, until a script changes one of its answers.
class ScriptedServer
  # What is sent in place of a true answer, and what happens to the connection then.
  record Act, bytes : Bytes, close = false, silent = false

  alias Script = Reply, Bytes -> Act

  # What everybody finds who asks.
  ITEMS = {
    "alice" => "the value of alice",
    "bob"   => "bob's value",
    "carol" => "carol has this one",
    "n"     => "10",
  }

  getter port : Int32
  # Connections since the start.
  getter connections = 0
  # The last question, whole.
  getter question = Bytes.empty
  # Whether each answer comes in pieces, so that other fibers run between them.
  property slow = false

  @script : Script?
  @at = 0
  @answered = 0
  @last = Bytes.empty
  @items = {} of String => String
  @server : TCPServer

  def initialize
    @server = TCPServer.new("127.0.0.1", 0, backlog: 128)
    @port = @server.local_address.port
    restore
    spawn do
      while socket = @server.accept?
        @connections += 1
        spawn serve(socket)
      end
    end
  end

  # The same item has the same version.
  def self.version(item : String) : Int64
    item.bytes.sum(&.to_i64)
  end

  # All items as they were.
  def restore : Nil
    @items.clear
    @items.merge!(ITEMS)
  end

  # The answer at this place, from 1 on, is changed by the script, once.
  def change(@at : Int32, @script : Script?) : Nil
    @answered = 0
  end

  # Whether the answer that was to be changed was asked for.
  def changed? : Bool
    @script.nil?
  end

  def stop : Nil
    @server.close
  end

  private def serve(socket)
    socket.sync = false
    socket.tcp_nodelay = true
    while question = read(socket)
      @question = question
      reply = answer(question)
      next unless reply
      @answered += 1
      script = @script
      if script && @answered == @at
        @script = nil
        act = script.call(reply, @last)
        socket.write(act.bytes)
        socket.flush
        break if act.close
        # It never says a word again.
        next socket.skip_to_end if act.silent
      else
        @last = reply.to_slice
        write(socket, @last)
      end
    end
  rescue IO::Error
    # The client went away.
  ensure
    close(socket)
  end

  private def close(socket)
    socket.close
  rescue IO::Error
    # What was not sent yet has nobody to read it.
  end

  private def write(socket, bytes)
    piece = @slow ? 7 : bytes.size
    until bytes.empty?
      socket.write(bytes[0, Math.min(piece, bytes.size)])
      socket.flush
      bytes += Math.min(piece, bytes.size)
      Fiber.yield if @slow
    end
  end

  private def read(socket) : Bytes?
    head = Bytes.new(24)
    return unless socket.read_fully?(head)
    body = Bytes.new(IO::ByteFormat::BigEndian.decode(UInt32, head[8, 4]))
    socket.read_fully(body)
    Bytes.new(24 + body.size).tap do |whole|
      head.copy_to(whole)
      body.copy_to(whole + 24)
    end
  end

  # The true answer; nil where a quiet question needs none.
  private def answer(question) : Reply?
    extras_size = question[4].to_i
    key_size = IO::ByteFormat::BigEndian.decode(UInt16, question[2, 2]).to_i
    extras = question[24, extras_size]
    key = String.new(question[24 + extras_size, key_size])
    value = String.new(question[(24 + extras_size + key_size)..])
    reply = Reply.new(question[1], IO::ByteFormat::BigEndian.decode(UInt32, question[12, 4]))
    item = @items[key]?
    case opcode = Bincache::Opcode.from_value(question[1])
    in .get?, .get_kq?
      return opcode.get? ? reply.fail(1, "Not found") : nil unless item
      found(reply, item)
      reply.key = key.to_slice if opcode.get_kq?
    in .set?
      @items[key] = value
      reply.version = ScriptedServer.version(value)
    in .delete?
      return reply.fail(1) unless item
      @items.delete(key)
    in .append?, .prepend?
      return reply.fail(5) unless item
      @items[key] = opcode.append? ? item + value : value + item
    in .increment?, .decrement?
      by = IO::ByteFormat::BigEndian.decode(Int64, extras[0, 8])
      number = (item || "0").to_i64 + (opcode.increment? ? by : -by)
      @items[key] = number.to_s
      reply.value = Bytes.new(8).tap { |bytes| IO::ByteFormat::BigEndian.encode(number, bytes) }
    in .touch?
      return reply.fail(1) unless item
      reply.extras = Bytes.new(4)
    in .flush?
      @items.clear
    in .noop?
    end
    reply
  end

  private def found(reply, item)
    reply.extras = Bytes.new(4)
    reply.value = item.to_slice
    reply.version = ScriptedServer.version(item)
  end
end
