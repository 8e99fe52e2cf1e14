require "./head"
require "./response"

module Bincache
  # An answer of the server as a value: it takes no place of its own on the heap.
  struct Answer
    getter body : Bytes

    def initialize(@head : Head, @body : Bytes)
    end

    delegate opcode, status, version, to: @head

    def status?(name : String) : Bool
      Response::STATUSES[name] == status
    end

    def key : Bytes
      @body[0, @head.key_size]
    end

    def value : Bytes
      @body[@head.key_size..]
    end
  end
end
