require "../../src/after"
require "../../src/fixes"

# Its log is not what is tried here.
::Log.setup(:none)

alias AnyClient = Bincache::Before | Bincache::After

# Every client that is tried: the one as it was, with each fix, with all of them, and the lean one.
CLIENTS = begin
  none = Bincache::Fix::None
  fixes = Bincache::Fix.values.to_h { |fix| {"before with #{fix.to_s.downcase}", fix} }
  {"after" => nil, "before" => none}.merge(fixes).merge({"before with all fixes" => Bincache::Fix::All})
end

def client_of(fixes : Bincache::Fix?, port : Int32, timeout : Time::Span = 5.seconds) : AnyClient
  return Bincache::After.new("127.0.0.1", port, timeout) unless fixes
  Bincache::Before.new("127.0.0.1", port, timeout).tap { |client| client.fixes = fixes }
end

def with_client(fixes, port, timeout = 5.seconds, &)
  client = client_of(fixes, port, timeout)
  begin
    yield client
  ensure
    client.close
  end
end

# The same, told apart: for blocks that must not be typed for both at once.
def each_client(&)
  CLIENTS.each { |name, fixes| yield name, fixes }
end
