require "spec"
require "./support/clients"
require "./support/faults"

alias Result = String | Nil | Bool | Int64 | {String, Int64} | Hash(String, String?)

# An operation: how many answers it needs, and what it returns when all are true. A version or a number that only the
# server knows is taken as it comes.
record Operation, name : String, answers : Int32, truth : Result, run : AnyClient -> Result

# Keys that make more questions than are sent at once.
MANY = ["alice"] + Array.new(400) { |at| "nobody-#{at}".ljust(250, '-') } + ["bob"]

alias Run = Proc(AnyClient, Result)

def truth_of(keys) : Result
  keys.to_h { |key| {key, ScriptedServer::ITEMS[key]?.as(String?)} }
end

ALICE   = ScriptedServer::ITEMS["alice"]
SEVERAL = ["alice", "yves", "bob", "carol"]

OPERATIONS = [
  Operation.new("get", 1, ALICE, Run.new { |client| client.get("alice") }),
  Operation.new("get of nothing", 1, nil, Run.new { |client| client.get("zoe") }),
  Operation.new("get_with_version", 1, {ALICE, ScriptedServer.version(ALICE)},
    Run.new { |client| client.get_with_version("alice") }),
  Operation.new("get_multi", 4, truth_of(SEVERAL), Run.new { |client| client.get_multi(SEVERAL) }),
  Operation.new("get_multi of many", 4, truth_of(MANY), Run.new { |client| client.get_multi(MANY) }),
  Operation.new("fetch", 1, ALICE, Run.new { |client| client.fetch("alice") { "made" } }),
  Operation.new("fetch of nothing", 2, "made", Run.new { |client| client.fetch("zoe") { "made" } }),
  Operation.new("set", 1, ScriptedServer.version("other"), Run.new { |client| client.set("alice", "other") }),
  Operation.new("set of a version", 1, ScriptedServer.version("other"),
    Run.new { |client| client.set("alice", "other", version: 3) }),
  Operation.new("delete", 1, true, Run.new { |client| client.delete("alice") }),
  Operation.new("append", 1, true, Run.new { |client| client.append("alice", "!") }),
  Operation.new("prepend", 1, true, Run.new { |client| client.prepend("alice", "!") }),
  Operation.new("increment", 1, 15_i64, Run.new { |client| client.increment("n", 5) }),
  Operation.new("decrement", 1, 5_i64, Run.new { |client| client.decrement("n", 5) }),
  Operation.new("touch", 1, true, Run.new { |client| client.touch("alice", 9) }),
  Operation.new("flush", 1, true, Run.new { |client| client.flush }),
]

# Whether a result is what the operation was asked for, or, after a lie, at least of no other key.
def right?(operation, result, lie) : Bool
  return true if result == operation.truth
  return false unless lie
  case result
  when Hash
    result.all? { |key, value| value.nil? || value.starts_with?(ScriptedServer::ITEMS[key]? || "nothing") }
  when String, Tuple
    others = ScriptedServer::ITEMS.reject("alice").values
    text = result.is_a?(Tuple) ? result[0] : result
    others.none? { |other| text.includes?(other) }
  else
    true
  end
end

# What is asked after a fault: nothing, or what was wrong. Operations change none of it, once the server has its items
# again.
def check_next(client) : String?
  truths = ScriptedServer::ITEMS
  {"carol", "yves", "alice"}.each do |key|
    found = client.get(key)
    return "get(#{key}) gave #{found.inspect}" if found != truths[key]?
  end
  found = client.get_with_version("bob")
  return "get_with_version gave #{found}" if found != {truths["bob"], ScriptedServer.version(truths["bob"])}
  wrong = client.get_multi(SEVERAL).find { |key, value| value != truths[key]? }
  return "get_multi gave #{wrong}" if wrong
  number = client.increment("n", 1)
  "increment gave #{number}" if number != 11
rescue Bincache::Error
  "raised"
end

describe "faults" do
  CLIENTS.each do |name, fixes|
    faults = fixes.nil? || fixes.none? || fixes == Bincache::Fix::All ? Faults.all : Faults.some
    OPERATIONS.each do |operation|
      it "of a server leave #{name} with right answers or none: #{operation.name}" do
        server = ScriptedServer.new
        failures = [] of String
        (1..operation.answers).each do |at|
          faults.each do |fault|
            server.restore
            # Long enough for a slow machine where something comes, short where nothing does.
            client = client_of(fixes, server.port, fault.silent ? 50.milliseconds : 20.seconds)
            client.get("carol")
            server.change(at, fault.script)
            where = "#{fault.name}, answer #{at}"
            begin
              result = operation.run.call(client)
              failures << "#{where}: gave #{result.inspect}" unless right?(operation, result, fault.lie)
            rescue Bincache::Error
            end
            # An operation that failed early did not come to this answer.
            failures << "#{where}: was not asked for" unless server.changed?
            # What comes next may meet what is left of the fault, and no more than that.
            then_came = nil
            3.times do
              server.restore
              break unless (then_came = check_next(client)) == "raised"
            end
            failures << "#{where}: then #{then_came}" if then_came
            client.close
          end
        end
        server.stop
        failures.should be_empty
      end
    end
  end
end
