require "spec"
require "./support/clients"
require "./support/server"

SERVER = Server.new
Spec.after_suite { SERVER.stop }

# Tries something with every client, on a server without items.
def it_does(what, &block : AnyClient -> Nil)
  CLIENTS.each do |name, fixes|
    it "#{what} (#{name})" do
      with_client(fixes, SERVER.port) do |client|
        client.flush
        block.call(client)
      end
    end
  end
end

describe "clients" do
  it_does "gets what was set" do |client|
    client.get("a").should be_nil
    client.set("a", "value").should be > 0
    client.get("a").should eq "value"
  end

  it_does "keeps every byte" do |client|
    ["", "\0\r\n", "größer 💎", "x" * 100_000].each do |value|
      client.set("bytes", value)
      client.get("bytes").should eq value
      client.get_multi(["bytes"]).should eq({"bytes" => value})
    end
  end

  it_does "replaces only the version it knows" do |client|
    first = client.set("a", "one")
    client.get_with_version("a").should eq({"one", first})
    second = client.set("a", "two", version: first)
    second.should_not eq first
    expect_raises(Bincache::VersionConflict) { client.set("a", "three", version: first) }
    expect_raises(Bincache::VersionConflict) { client.set("a", "three", version: second + 1) }
    client.get_with_version("a").should eq({"two", second})
    client.get_with_version("b").should be_nil
    expect_raises(Bincache::ServerError, "0x1") { client.set("b", "new", version: second) }
    client.get("b").should be_nil
  end

  it "lets items expire, and flushes when it is time" do
    clients = CLIENTS.map { |name, fixes| {name, client_of(fixes, SERVER.port)} }
    clients.first[1].flush
    clients.each do |name, client|
      client.set("brief #{name}", "value", expire: 1)
      # Parts of a second are left out.
      client.set("float #{name}", "value", expire: 1.9)
      client.set("long #{name}", "value", expire: 100)
      client.touch("touched #{name}", 1).should be_false
      client.set("touched #{name}", "value")
      client.touch("touched #{name}", 1_i64).should be_true
      client.set("spared #{name}", "value", expire: 1)
      client.touch("spared #{name}", 100).should be_true
      client.fetch("fetched #{name}", 1) { "value" }
    end
    sleep 2.2.seconds
    clients.each do |name, client|
      client.get("brief #{name}").should be_nil
      client.get("float #{name}").should be_nil
      client.get("touched #{name}").should be_nil
      client.get("fetched #{name}").should be_nil
      client.get("long #{name}").should eq "value"
      client.get("spared #{name}").should eq "value"
    end
    clients.each { |_, client| client.flush(2).should be_true }
    clients.each { |name, client| client.get("long #{name}").should eq "value" }
    sleep 3.2.seconds
    clients.each do |name, client|
      client.get("long #{name}").should be_nil
      client.close
    end
  end

  it_does "gets many at once" do |client|
    keys = Array.new(3_000) { |at| "key-#{at}" }
    keys.each_with_index { |key, at| client.set(key, "value-#{at}") if at % 5 == 1 }
    found = client.get_multi(keys)
    found.keys.should eq keys
    found.each_with_index { |(_, value), at| value.should eq(at % 5 == 1 ? "value-#{at}" : nil) }
    client.get_multi([] of String).should be_empty
    client.get_multi(["key-1", "none", "key-1"]).should eq({"key-1" => "value-1", "none" => nil})
  end

  it_does "deletes" do |client|
    client.set("a", "value")
    client.delete("a").should be_true
    client.delete("a").should be_false
    client.get("a").should be_nil
  end

  it_does "appends and prepends" do |client|
    client.append("a", "!").should be_false
    client.prepend("a", "!").should be_false
    client.set("a", "b")
    client.append("a", "c").should be_true
    client.prepend("a", "a").should be_true
    client.get("a").should eq "abc"
  end

  it_does "counts" do |client|
    client.increment("n", 5, 10).should eq 10
    client.increment("n", 5).should eq 15
    client.increment("n", 2.9).should eq 17
    client.decrement("n", 4_u8).should eq 13
    client.decrement("n", 100).should eq 0
    client.set("word", "word")
    expect_raises(Bincache::ServerError, "0x6") { client.increment("word") }
    client.increment("n").should eq 1
  end

  it_does "counts back by what is below zero, as numbers of 64 bits do" do |client|
    client.increment("n", 1, 10).should eq 10
    client.increment("n", -3).should eq 7
    client.increment("below", 1, -1).should eq -1
  end

  it_does "makes no counter that expires at 0xffffffff" do |client|
    client.increment("n", 1, 5, 0xffffffff_u32).should be_nil
    client.decrement("n", 1, 5, 0xffffffff_u32).should be_nil
    client.get("n").should be_nil
    client.increment("n", 1, 5, 0).should eq 5
    client.increment("n", 1, 5, 0xffffffff_u32).should eq 6
  end

  it_does "fetches, and makes what is not there" do |client|
    calls = 0
    client.fetch("a") { calls += 1; "made" }.should eq "made"
    client.fetch("a") { calls += 1; "again" }.should eq "made"
    calls.should eq 1
    client.get("a").should eq "made"
  end

  it_does "keeps nothing when there is nothing to fetch" do |client|
    client.fetch("a") { nil }.should be_nil
    client.get("a").should be_nil
    # A version is of an item that is there.
    expect_raises(Bincache::ServerError, "0x1") { client.fetch("a", 0, 7) { "made" } }
    client.get("a").should be_nil
  end

  it_does "flushes" do |client|
    client.set("a", "value")
    client.flush.should be_true
    client.get("a").should be_nil
  end

  it_does "refuses what the protocol has no place for, and asks nothing" do |client|
    long = "k" * 251
    client.set("a", "value")
    expect_raises(Bincache::KeyError, "251 bytes") { client.get(long) }
    expect_raises(Bincache::KeyError, "251 bytes") { client.set(long, "value") }
    expect_raises(Bincache::KeyError, "251 bytes") { client.get_multi(["a", long]) }
    expect_raises(Bincache::KeyError, "empty") { client.delete("") }
    expect_raises(OverflowError) { client.set("a", "other", expire: -1) }
    expect_raises(OverflowError) { client.touch("a", -1) }
    expect_raises(OverflowError) { client.increment("a", UInt64::MAX) }
    client.get("a").should eq "value"
    longest = "k" * 250
    client.set(longest, "value")
    client.get(longest).should eq "value"
    client.get_multi([longest]).should eq({longest => "value"})
  end

  it_does "says that a value is too large, and goes on" do |client|
    expect_raises(Bincache::ValueTooLarge) { client.set("a", "x" * 2_000_000) }
    client.set("a", "small")
    client.get("a").should eq "small"
  end

  {"after" => nil, "before" => Bincache::Fix::None}.each do |name, fixes|
    it "comes back after the server was started again (#{name})" do
      with_client(fixes, SERVER.port) do |client|
        client.set("a", "value")
        SERVER.restart
        expect_raises(Bincache::ConnectionError, SERVER.port.to_s) { client.get("a") }
        client.get("a").should be_nil
        client.set("a", "again")
        client.get("a").should eq "again"
      end
    end

    it "answers after a rest that was longer than its timeout (#{name})" do
      with_client(fixes, SERVER.port, 200.milliseconds) do |client|
        client.set("a", "value")
        client.get("a").should eq "value"
        sleep 0.7.seconds
        client.get("a").should eq "value"
        client.set("b", "x" * 900_000)
        client.get("b").should eq "x" * 900_000
        sleep 0.5.seconds
        100.times { client.get("a").should eq "value" }
      end
    end

    it "says that nobody answers (#{name})" do
      port = Server.free_port
      with_client(fixes, port) do |client|
        expect_raises(Bincache::ConnectionError, port.to_s) { client.get("a") }
      end
    end
  end
end
