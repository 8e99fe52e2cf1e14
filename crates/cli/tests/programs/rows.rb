# Forty thousand rows that hold fifty texts, in the way that the first argument names.
Row = Struct.new(:id, :text)

def build(count)
  Array.new(count) { |i| Row.new(i, "a text that many of the rows have in common, number #{i % 50}") }
end

def read(rows, times)
  times.times.sum { rows.sum { |row| row.id + row.text.length } }
end

case ARGV[0]
when 'kept' then $rows = build(40_000)
when 'child' then system('ruby', __FILE__, 'kept')
when 'oom'
  $rows = build(40_000)
  String.new(capacity: 1 << 60)
when 'freed' then read(build(40_000), 500)
when 'large'
  read(build(400_000), 1)
  GC.start
end
