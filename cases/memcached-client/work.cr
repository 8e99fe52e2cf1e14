# Does one operation many times, and prints what it cost by the collector's own count and by the clock.
#
#     work PORT OPERATION COUNT [CLIENT] [LEVEL]
#
# CLIENT is `after`, `before`, or the names of fixes of `before` with commas between. Logs are written from LEVEL on; none
# are without it.
require "./src/after"
require "./src/fixes"

def work(client, operation, count)
  client.flush
  client.set("hit", "value")
  client.increment("counter", 1, 0)
  keys = Array.new(operation.starts_with?("get_multi") ? count : 0, &.to_s)
  keys.each { |key| client.set(key, "value") } if operation == "get_multi_hit"

  # What the first calls make for all later ones is not counted.
  10.times { client.get("hit") }
  GC.collect
  found = {} of String => String?
  bytes, busy, clock = GC.stats.total_bytes, Process.times, Time.monotonic
  case operation
  when "hit"       then count.times { client.get("hit") }
  when "miss"      then count.times { client.get("miss") }
  when "set"       then count.times { client.set("hit", "value") }
  when "increment" then count.times { client.increment("counter", 1, 0) }
  when "get_multi", "get_multi_hit"
    found = client.get_multi(keys)
  else
    abort "no operation #{operation}"
  end
  real, now, made = Time.monotonic - clock, Process.times, GC.stats.total_bytes - bytes
  expected = operation == "get_multi_hit" ? "value" : nil
  raise "a wrong answer" unless found.size == keys.size && found.all? { |_, value| value == expected }
  STDERR.puts %({"operation":"#{operation}","count":#{count},"bytes":#{made},"whole":#{GC.stats.total_bytes},) +
              %("real":#{real.total_seconds},"user":#{now.utime - busy.utime},"system":#{now.stime - busy.stime}})
  client.close
end

port, operation, count = ARGV[0].to_i, ARGV[1], ARGV[2].to_i
name = ARGV[3]? || "after"
Log.setup(Log::Severity.parse(ARGV[4]? || "none"))
if name == "after"
  work(Bincache::After.new("127.0.0.1", port), operation, count)
else
  client = Bincache::Before.new("127.0.0.1", port)
  client.fixes = Bincache::Fix.from_names(name)
  work(client, operation, count)
end
