# Forty thousand rows that hold fifty texts, in the way that the first argument names.
Row = Struct.new(:id, :text)

def build(count, texts = 50)
  Array.new(count) { |i| Row.new(i, "a text that many of the rows have in common, number #{i % texts}") }
end

def in_two
  pids = Array.new(2) { |child| fork { yield child } }
  pids.each { |pid| Process.wait(pid) }
end

def read(rows, times)
  times.times.sum { rows.sum { |row| row.id + row.text.length } }
end

case ARGV[0]
when 'kept' then $rows = build(40_000)
when 'child' then system('ruby', __FILE__, 'kept')
when 'local'
  lambda do
    rows = build(40_000)
    exit if read(rows, 1).positive?
  end.call
when 'thread'
  Thread.new { Thread.current[:rows] = build(40_000) }.join
when 'forked'
  in_two { |child| $rows = build(40_000) if child.zero? }
when 'caches'
  in_two { $rows = build(40_000, 40_000) }
when 'preloaded'
  $rows = build(40_000, 40_000)
  GC.start
  in_two { $rows.size }
when 'rest'
  $rows = build(40_000)
  puts 'ready'
  $stdout.flush
  $stdin.read
when 'oom'
  $rows = build(40_000)
  String.new(capacity: 1 << 60)
when 'freed' then read(build(40_000), 500)
when 'large'
  read(build(400_000), 1)
  GC.start
end
