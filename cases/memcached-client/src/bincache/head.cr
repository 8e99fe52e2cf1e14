require "./errors"
require "./opcode"
require "./status"

module Bincache
  # The first 24 bytes of an answer.
  struct Head
    SIZE = 24

    ANSWER = 0x81_u8

    getter opcode : UInt8
    getter status : UInt16
    getter key_size : Int32
    getter extras_size : Int32
    # Of extras, key and value together.
    getter size : Int32
    getter opaque : UInt32
    getter version : Int64

    def initialize(bytes : Bytes)
      if bytes[0] != ANSWER
        raise ProtocolError.new("expected an answer that begins with 0x81, found 0x#{bytes[0].to_s(16)}")
      end
      size = number(UInt32, bytes, 8)
      raise ProtocolError.new("an answer of #{size} bytes") if size > LARGEST_BODY
      @opcode = bytes[1]
      @key_size = number(UInt16, bytes, 2).to_i
      @extras_size = bytes[4].to_i
      @status = number(UInt16, bytes, 6)
      @size = size.to_i
      @opaque = number(UInt32, bytes, 12)
      @version = number(Int64, bytes, 16)
      raise ProtocolError.new("an answer whose parts are larger than it is") if value_size < 0
    end

    # What stands behind extras and key.
    def value_size : Int32
      @size - @extras_size - @key_size
    end

    def ok? : Bool
      @status == Status::OK
    end

    # Raises unless this answers the question with this opcode and this mark, in the form that such an answer has.
    def check(opcode : UInt8, opaque : UInt32) : Nil
      if @opcode != opcode
        raise ProtocolError.new("asked 0x#{opcode.to_s(16)}, and 0x#{@opcode.to_s(16)} was answered")
      end
      raise ProtocolError.new("asked as #{opaque}, and #{@opaque} was answered") if @opaque != opaque
      raise ProtocolError.new("an answer in another form than 0x#{opcode.to_s(16)} has") if ok? && !in_form?
    end

    # Only who asks for values gets them, and only `GetKQ` names its key.
    private def in_form? : Bool
      case Opcode.from_value?(@opcode)
      when Opcode::GetKQ                        then @key_size > 0
      when Opcode::Get                          then @key_size == 0
      when Opcode::Increment, Opcode::Decrement then @key_size == 0 && value_size == 8
      else                                           @key_size == 0 && value_size == 0
      end
    end

    private def number(type, bytes, at)
      IO::ByteFormat::BigEndian.decode(type, bytes[at, sizeof(typeof(type.zero))])
    end
  end
end
