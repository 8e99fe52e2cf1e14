# Makes lists to throw away.

text = (1..100).map { |at| "line #{at} of a text" }.join("\n")
20_000.times { text.lines.count }
