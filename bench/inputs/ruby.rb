# A heap of many records, written as ObjectSpace writes it: `ruby ruby.rb RECORDS FILE`.
require "objspace"

Record = Struct.new(:id, :name, :place, :tags)

random = Random.new(20_261)
places = Array.new(500) { |i| "place-#{i}.example.net" }
RECORDS = Array.new(Integer(ARGV[0])) do |i|
  Record.new(
    i,
    "record #{random.bytes(8).unpack1("H*")}",
    places[random.rand(500)].dup,
    { "state" => %w[ok late lost][random.rand(3)].dup, "seen" => [i, i + 1] }
  )
end
GC.start
File.open(ARGV[1], "w", 0o600) { |file| ObjectSpace.dump_all(output: file) }
