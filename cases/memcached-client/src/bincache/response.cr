module Bincache
  # An answer of the server.
  class Response
    getter opcode : UInt8
    getter status : UInt16
    getter version : Int64
    getter key : Bytes
    getter value : Bytes

    def initialize(@opcode, @status, @version, @key, @value)
    end
  end
end
