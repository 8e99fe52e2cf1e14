# What a look-up of an opcode costs in a table keyed by strings, and in a named tuple that is indexed when the program is
# built; and what nothing costs as an array and as `Bytes.empty`. Prints JSON: nanoseconds and bytes each.
require "log"
require "json"

TABLE = {
  "get" => 0x00_u8, "set" => 0x01_u8, "delete" => 0x04_u8, "increment" => 0x05_u8, "decrement" => 0x06_u8,
  "flush" => 0x08_u8, "noop" => 0x0a_u8, "getkq" => 0x0d_u8, "append" => 0x0e_u8, "prepend" => 0x0f_u8, "touch" => 0x1c_u8,
}
NAMED = {
  get: 0x00_u8, set: 0x01_u8, delete: 0x04_u8, increment: 0x05_u8, decrement: 0x06_u8,
  flush: 0x08_u8, noop: 0x0a_u8, getkq: 0x0d_u8, append: 0x0e_u8, prepend: 0x0f_u8, touch: 0x1c_u8,
}
Log.setup(:info)

# The compiler cannot leave out what ends up here.
class Sink
  class_property sum = 0_u64
  class_property array = [] of UInt8
  class_property bytes = Bytes.empty
end

macro measured(count, &block)
  %bytes, %start = GC.stats.total_bytes, Time.monotonic
  {{count}}.times { |at| {{block.body}} }
  %took = Time.monotonic - %start
  {ns: %took.total_nanoseconds / {{count}}, bytes: (GC.stats.total_bytes - %bytes) / {{count}}}
end

table = measured(20_000_000) { Sink.sum &+= TABLE["touch"] }
named = measured(20_000_000) { Sink.sum &+= NAMED[:touch] }
array = measured(5_000_000) { Sink.array = Array(UInt8).new(0) }
empty = measured(20_000_000) { Sink.bytes = Bytes.empty }
written = "status #{Sink.sum}"
block = measured(20_000_000) { Log.debug { "status #{Sink.sum} #{written}" } }
puts({hash: table, named_tuple: named, array: array, bytes_empty: empty, log_block_off: block}.to_json)
