# What is made here is known: the tests hold the record against it, line by line.
class Item
  def initialize(@number : Int32, @label : String)
  end

  getter number
end

KEPT = [] of Item

def empty
  Array(Int32).new(0)
end

def page
  Bytes.new(1000)
end

def grown(number)
  list = [] of Int32
  number.times { |at| list << at }
  list.size
end

sum = 0_i64
10_000.times do |at|
  sum += empty.size + page.size
  sum += grown(20)
  item = Item.new(at, "item #{at}")
  KEPT << item if at % 20 == 0
end

# On the stack of a fiber, which others take turns with.
done = Channel(Int32).new
4.times do
  spawn do
    250.times do |at|
      done.send(Bytes.new(100 + at % 2).size)
      Fiber.yield
    end
  end
end
1000.times { sum += done.receive }

raise "wrong" unless sum > 0
puts GC.stats.total_bytes
