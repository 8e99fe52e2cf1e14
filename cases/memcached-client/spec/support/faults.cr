require "./scripted_server"

# Everything that can be wrong with one answer.
module Faults
  # A lie cannot be told from a true answer by anybody: what it says may be returned, as long as it is of no other key.
  record Fault, name : String, script : ScriptedServer::Script, lie = false, silent = false

  STATUSES = (0x01..0x09).to_a + [0x20] + (0x81..0x86).to_a + [0xffff]

  # Of an answer of this many bytes.
  CUTS = (0..23).to_a + [24, 25, 28, 29, 31, 32, 40]

  class_getter all : Array(Fault) { statuses + questions + lengths + others + cuts }

  # One of each kind, for single fixes: their code differs in where bytes are kept, and not in what is checked.
  class_getter some : Array(Fault) do
    names = {"status 0x1", "status 0x85", "mark before", "mark after", "opcode 0xa", "magic 0x80",
             "key longer than the body", "a key that nobody asked for", "a body of 4 GiB", "bytes behind the answer",
             "the answer twice", "the last answer again", "an answer for bob first", "anything", "cut after 25"}
    all.select(&.name.in?(names)).tap { |some| raise "not all are there" if some.size != names.size }
  end

  # The same answer with something about it changed.
  private def self.changed(name, lie = false, &change : Reply -> Nil)
    script = ScriptedServer::Script.new do |reply, _|
      change.call(reply)
      ScriptedServer::Act.new(reply.to_slice)
    end
    Fault.new(name, script, lie)
  end

  private def self.act(name, silent = false, &act : Reply, Bytes -> ScriptedServer::Act)
    Fault.new(name, act, silent: silent)
  end

  private def self.statuses
    STATUSES.flat_map do |status|
      name = "status 0x#{status.to_s(16)}"
      [
        changed(name, lie: true) { |reply| reply.fail(status) },
        changed("#{name} without a reason", lie: true) { |reply| reply.fail(status, "") },
        changed("#{name} with extras and a key", lie: true) do |reply|
          reply.fail(status)
          reply.extras = Bytes.new(4)
          reply.key = "bob".to_slice
        end,
      ]
    end
  end

  private def self.questions
    marks = {"0" => ->(mark : UInt32) { 0_u32 }, "before" => ->(mark : UInt32) { mark &- 1 },
             "after" => ->(mark : UInt32) { mark &+ 1 }, "far after" => ->(mark : UInt32) { mark &+ 1000 },
             "largest" => ->(mark : UInt32) { UInt32::MAX }}
    wrong = marks.map do |name, mark|
      changed("mark #{name}") { |reply| reply.opaque = mark.call(reply.opaque) }
    end
    Bincache::Opcode.values.map(&.value).push(0xff_u8).each do |opcode|
      # Who asks for one opcode gets another.
      wrong << changed("opcode 0x#{opcode.to_s(16)}") do |reply|
        reply.opcode = reply.opcode == opcode ? 0x50_u8 : opcode
      end
    end
    [0x00_u8, 0x80_u8, 0x82_u8, 'H'.ord.to_u8].each do |magic|
      wrong << changed("magic 0x#{magic.to_s(16)}") { |reply| reply.magic = magic }
    end
    wrong
  end

  private def self.lengths
    [
      changed("key longer than the body") { |reply| reply.key_size = UInt16::MAX },
      changed("key a byte longer than the body") { |reply| reply.key_size = (size(reply) + 1).to_u16 },
      changed("extras longer than the body") { |reply| reply.extras_size = (size(reply) + 1).to_u8 },
      changed("key and extras longer than the body") do |reply|
        reply.key_size = size(reply).to_u16
        reply.extras_size = 1_u8
      end,
      changed("a key that nobody asked for") { |reply| reply.key = joined("zoe".to_slice, reply.key) },
      changed("a value that nobody asked for", lie: true) { |reply| reply.value = joined(reply.value, "more".to_slice) },
      changed("a body of 128 MiB and more") { |reply| reply.size = (Bincache::LARGEST_BODY + 1).to_u32 },
      changed("a body of 2 GiB") { |reply| reply.size = Int32::MAX.to_u32 },
      changed("a body of 4 GiB") { |reply| reply.size = UInt32::MAX },
      Fault.new("a byte less than was said", ScriptedServer::Script.new do |reply, _|
        reply.size = (size(reply) + 1).to_u32
        ScriptedServer::Act.new(reply.to_slice, close: true)
      end),
      changed("bytes behind the answer") do |reply|
        reply.size = size(reply).to_u32
        reply.value = joined(reply.value, "behind".to_slice)
      end,
    ]
  end

  private def self.joined(first : Bytes, second : Bytes) : Bytes
    (first.to_a + second.to_a).to_unsafe.to_slice(first.size + second.size)
  end

  private def self.size(reply)
    reply.extras.size + reply.key.size + reply.value.size
  end

  private def self.others
    # With the mark of no question: whoever knows the next one cannot be told from the server.
    another = Reply.new(0x00_u8, 7_000_000_u32)
    another.extras = Bytes.new(4)
    another.value = ScriptedServer::ITEMS["bob"].to_slice
    random = Random.new(7)
    [
      act("the answer twice") { |reply, _| ScriptedServer::Act.new(joined(reply.to_slice, reply.to_slice)) },
      act("the last answer again") { |_, last| ScriptedServer::Act.new(last, close: last.empty?) },
      act("the last answer before this one") { |reply, last| ScriptedServer::Act.new(joined(last, reply.to_slice)) },
      act("the answer, then the last one") { |reply, last| ScriptedServer::Act.new(joined(reply.to_slice, last)) },
      act("an answer for bob") { |_, _| ScriptedServer::Act.new(another.to_slice) },
      act("an answer for bob first") { |reply, _| ScriptedServer::Act.new(joined(another.to_slice, reply.to_slice)) },
      act("an answer for bob behind it") { |reply, _| ScriptedServer::Act.new(joined(reply.to_slice, another.to_slice)) },
      act("the answer, then the end") { |reply, _| ScriptedServer::Act.new(reply.to_slice, close: true) },
      act("HTTP") { |_, _| ScriptedServer::Act.new("HTTP/1.1 400 Bad Request\r\n\r\n".to_slice) },
      act("the text protocol") { |_, _| ScriptedServer::Act.new("VALUE alice 0 5\r\nhello\r\nEND\r\n".to_slice) },
      act("zeros") { |_, _| ScriptedServer::Act.new(Bytes.new(100)) },
      act("anything") { |_, _| ScriptedServer::Act.new(random.random_bytes(200)) },
      act("anything behind 0x81") { |_, _| ScriptedServer::Act.new(joined(Bytes[0x81], random.random_bytes(200)), close: true) },
      act("silence", silent: true) { |_, _| ScriptedServer::Act.new(Bytes.empty, silent: true) },
      act("silence within the head", silent: true) { |reply, _| ScriptedServer::Act.new(reply.to_slice[0, 9], silent: true) },
    ]
  end

  private def self.cuts
    CUTS.map do |size|
      act("cut after #{size}") do |reply, _|
        bytes = reply.to_slice
        ScriptedServer::Act.new(bytes[0, Math.min(size, bytes.size)], close: true)
      end
    end
  end
end
