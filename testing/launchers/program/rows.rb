# Forty thousand rows that hold fifty texts.
Row = Struct.new(:id, :text)
$rows = Array.new(40_000) { |i| Row.new(i, "a text that many of the rows have in common, number #{i % 50}") }
