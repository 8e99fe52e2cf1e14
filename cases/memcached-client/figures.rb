# Measures what the table of published claims needs: one JSON object on standard output, progress on standard error. It
# builds into DEADWEIGHT_SCRATCH, and starts a memcached of its own on a free port.
#
# Beside the Crystal on the PATH, a later one is used if DEADWEIGHT_CRYSTAL_TODAY names its compiler.
require "fileutils"
require "json"
require "open3"
require "socket"

SCRATCH = ENV.fetch("DEADWEIGHT_SCRATCH") { abort "DEADWEIGHT_SCRATCH names no directory" }
HERE = __dir__
ROUNDS = 7
COUNT = 20_000
KEYS = 1_000_000
PUBLISHED = "empty,text,slice,extras,copy,debug".freeze

def build(name, compiler = "crystal")
  out = File.join(SCRATCH, compiler == "crystal" ? name : "#{name}-today")
  sources = Dir[File.join(HERE, "*.cr"), File.join(HERE, "src/**/*.cr")]
  return out if File.exist?(out) && sources.all? { |source| File.mtime(source) < File.mtime(out) }

  warn "building #{File.basename(out)}"
  output, status = Open3.capture2e(compiler, "build", "--release", "-o", out, "#{name}.cr", chdir: HERE)
  abort output unless status.success?
  out
end

def free_port
  server = TCPServer.new("127.0.0.1", 0)
  server.addr[1]
ensure
  server&.close
end

def run(program, *arguments)
  out, errors, status = Open3.capture3(program, *arguments.map(&:to_s))
  abort "#{program}: #{errors}" unless status.success?
  JSON.parse(errors.empty? ? out : errors.lines.last)
end

def median(values)
  values.sort[values.size / 2]
end

# Bytes are the least of the rounds, as a wait makes some; times are medians.
def summary(runs, count)
  rate = median(runs.map { |run| count / run["real"] })
  {
    "bytes" => runs.map { |run| run["bytes"] }.min / count.to_f,
    "total" => runs.map { |run| run["bytes"] }.min,
    "rate" => rate.round,
    "real" => median(runs.map { |run| run["real"] }),
    "user" => median(runs.map { |run| run["user"] }),
    "system" => median(runs.map { |run| run["system"] }),
  }
end

# Clients in turns, so that what else the machine does meets all of them.
def compared(program, port, operation, count, rounds, clients, level = "none")
  runs = clients.to_h { |name, _| [name, []] }
  rounds.times do
    clients.each { |name, client| runs[name] << run(program, port, operation, count, client, level) }
  end
  runs.transform_values { |of_client| summary(of_client, count) }
end

FileUtils.mkdir_p(SCRATCH)
work, fibers, lookups = %w[work fibers lookups].map { |name| build(name) }
port = free_port
arguments = ["memcached", "-l", "127.0.0.1", "-U", "0", "-p", port.to_s, "-m", "256"]
arguments += ["-u", "nobody"] if Process.uid.zero?
memcached = spawn(*arguments, out: File::NULL, err: File::NULL)
begin
  50.times do
    TCPSocket.new("127.0.0.1", port).close
    break
  rescue SystemCallError
    sleep 0.1
  end
  clients = { "before" => "before", "published" => PUBLISHED, "after" => "after" }
  figures = { "crystal" => `crystal --version`[/[\d.]+/], "memcached" => `memcached --version`[/[\d.]+/] }
  %w[hit miss set increment].each do |operation|
    warn operation
    figures[operation] = compared(work, port, operation, COUNT, ROUNDS, clients)
  end
  warn "get_multi of #{KEYS} keys"
  figures["get_multi"] = compared(work, port, "get_multi", KEYS, 5, clients)
  warn "text for the log"
  figures["log"] = {
    "info" => compared(work, port, "hit", COUNT, 3, { "before" => "before", "debug" => "debug", "silent" => "silent" }, "info"),
    "none" => compared(work, port, "hit", COUNT, 3, { "before" => "before", "debug" => "debug", "silent" => "silent" }),
  }
  warn "many at once"
  figures["fibers"] = run(fibers, port, 64, 1000, 5)
  warn "look-ups"
  figures["lookups"] = run(lookups)
  today = ENV["DEADWEIGHT_CRYSTAL_TODAY"]
  if today
    program = build("work", today)
    figures["today"] = { "crystal" => `#{today} --version`[/[\d.]+/] }
    %w[hit miss set increment].each do |operation|
      warn "#{operation}, Crystal #{figures["today"]["crystal"]}"
      figures["today"][operation] = compared(program, port, operation, COUNT, 3, clients)
    end
  end
  puts JSON.pretty_generate(figures)
ensure
  Process.kill("TERM", memcached)
  Process.wait(memcached)
end
