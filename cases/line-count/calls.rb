# What one call of each way makes: objects and bytes. Literals are not frozen here, as in a file without that comment.
require_relative 'lib/allocated'
require_relative 'lib/pages'

CALLS = {
  'lines.count' => ->(html) { html.lines.count },
  'each_line.count' => ->(html) { html.each_line.count },
  'count($/)' => ->(html) { html.count($/) },
  'count("\n")' => ->(html) { html.count("\n") },
  'count("\n".freeze)' => ->(html) { html.count("\n".freeze) },
  'exact' => ->(html) { html.b.count("\n".freeze) + (html.empty? || html.end_with?("\n".freeze) ? 0 : 1) },
  'early' => ->(html) { html.each_line.first(50).size }
}.freeze

html = Pages.make('results')
CALLS.each do |way, call|
  call.call(html)
  objects, bytes = Allocated.by { 100.times { call.call(html) } }
  puts "#{way}\t#{(objects / 100.0).round}\t#{(bytes / 100.0).round}"
end
