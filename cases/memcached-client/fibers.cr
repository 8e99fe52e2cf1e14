# Many requests at once: fibers with a client each, before and after in turns. Prints JSON: operations a second and the
# processor's microseconds an operation.
#
#     fibers PORT FIBERS OPERATIONS ROUNDS
require "json"
require "./src/after"
require "./src/before"

Log.setup(:none)
port, fibers, operations, rounds = ARGV.map(&.to_i)

def together(clients, operations)
  busy, clock, bytes = Process.times, Time.monotonic, GC.stats.total_bytes
  done = Channel(Nil).new
  clients.each do |client|
    spawn do
      operations.times { client.get("hit") }
      done.send(nil)
    end
  end
  clients.size.times { done.receive }
  real, now = Time.monotonic - clock, Process.times
  count = clients.size * operations
  {rate: count / real.total_seconds, cpu: (now.utime + now.stime - busy.utime - busy.stime) * 1e6 / count,
   user: (now.utime - busy.utime) * 1e6 / count, bytes: (GC.stats.total_bytes - bytes) / count}
end

befores = Array.new(fibers) { Bincache::Before.new("127.0.0.1", port) }
afters = Array.new(fibers) { Bincache::After.new("127.0.0.1", port) }
afters.first.set("hit", "value")
[befores.each(&.get("hit")), afters.each(&.get("hit"))]
before, after = [] of typeof(together(befores, 1)), [] of typeof(together(afters, 1))
rounds.times do
  before << together(befores, operations)
  after << together(afters, operations)
end

def median(of)
  sorted = of.sort_by(&.[:cpu])
  sorted[sorted.size // 2]
end

puts({before: median(before), after: median(after)}.to_json)
