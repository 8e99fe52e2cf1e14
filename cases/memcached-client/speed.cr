# What the two clients cost in time, in turns: user and system time an operation, the median of rounds.
#
#     crystal build --release -Dbefore -o before work.cr; crystal build --release -o after work.cr
#     crystal run speed.cr -- PORT ./before ./after [ROUNDS]
require "json"

port, programs, rounds = ARGV[0], ARGV[1, 2], (ARGV[3]? || "7").to_i

# Microseconds an operation, user and system.
def cost(program, port, operation, count) : {Float64, Float64}
  told = IO::Memory.new
  File.open(File::NULL, "w") do |nowhere|
    status = Process.run(program, [port, operation, count.to_s], output: nowhere, error: told)
    abort "#{program}: #{told}" unless status.success?
  end
  facts = JSON.parse(told.to_s)
  {facts["user"].as_f * 1e6 / count, facts["system"].as_f * 1e6 / count}
end

def median(values)
  values.sort[values.size // 2]
end

{"hit" => 40_000, "miss" => 40_000, "set" => 40_000, "increment" => 40_000, "get_multi" => 200_000}.each do |operation, count|
  costs = Array.new(rounds) { programs.map { |program| cost(program, port, operation, count) } }
  shown = (0..1).map do |which|
    user, system = median(costs.map(&.[which][0])), median(costs.map(&.[which][1]))
    "%6.2f + %6.2f us" % {user, system}
  end
  ratio = median(costs.map { |(before, after)| after.sum / before.sum })
  puts "%-10s before %s, after %s, %.2f of before" % [operation, shown[0], shown[1], ratio]
end
