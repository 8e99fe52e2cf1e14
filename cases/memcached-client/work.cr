# Does one operation so many times, and says what it cost by the collector's own count.
#
#     work PORT OPERATION COUNT
require "./src/client"

port, operation, count = ARGV[0].to_i, ARGV[1], ARGV[2].to_i
client = Bincache::Client.new("127.0.0.1", port)
client.flush
client.set("greeting", "hello, world")
client.increment("counter")
keys = Array.new(operation == "get_multi" ? count : 0) { |at| "key-#{at.to_s.rjust(10, '0')}" }
keys.each { |key| client.set(key, "value") }

# What the first calls make for all later ones is not counted.
10.times { client.get("greeting") }
GC.collect
before = GC.stats.total_bytes
busy = Process.times
case operation
when "hit"
  count.times { client.get("greeting") }
when "miss"
  count.times { client.get("farewell") }
when "set"
  count.times { client.set("greeting", "hello, world") }
when "increment"
  count.times { client.increment("counter") }
when "get_multi"
  found = client.get_multi(keys)
  raise "missed some" unless found.size == count && found[keys.last] == "value"
else
  abort "no operation #{operation}"
end
after = GC.stats.total_bytes
now = Process.times
STDERR.puts %({"operation":"#{operation}","count":#{count},"bytes":#{after - before},) +
            %("user":#{now.utime - busy.utime},"system":#{now.stime - busy.stime}})
client.close
