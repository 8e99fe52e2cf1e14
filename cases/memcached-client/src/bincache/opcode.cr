module Bincache
  # What can be asked.
  enum Opcode : UInt8
    Get       = 0x00
    Set       = 0x01
    Delete    = 0x04
    Increment = 0x05
    Decrement = 0x06
    Flush     = 0x08
    Noop      = 0x0a
    GetKQ     = 0x0d
    Append    = 0x0e
    Prepend   = 0x0f
    Touch     = 0x1c
  end
end
