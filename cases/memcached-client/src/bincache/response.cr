module Bincache
  # An answer of the server.
  class Response
    STATUSES = {
      "ok"         => 0x0000_u16,
      "no key"     => 0x0001_u16,
      "not stored" => 0x0005_u16,
    }

    getter opcode : UInt8
    getter status : UInt16
    getter key_size : Int32
    # Key and value.
    getter body : Bytes
    getter extras : Bytes
    getter version : Int64

    def initialize(@status, @opcode, @key_size, @body, @extras, @version)
    end

    def status?(name : String) : Bool
      STATUSES[name] == @status
    end

    def key : Bytes
      @body[0, @key_size]
    end

    def value : Bytes
      @body[@key_size..]
    end
  end
end
