# Marks what it does: 10,000 requests, each of which makes one page, then 500 batches of ten.
require "../../../../testing/crystal/src/deadweight"

def answer
  Bytes.new(1000).size
end

sum = 0_i64
10_000.times do
  sum += answer
  Deadweight.operation
end
500.times do
  10.times { sum += answer }
  Deadweight.operation 10
end
before = GC.stats.total_bytes
1_000_000.times { Deadweight.operation 0 }
raise "a mark makes bytes" if GC.stats.total_bytes > before
puts sum
