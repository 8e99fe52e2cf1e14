# frozen_string_literal: true

# How fast each way is for each shape of page: CPU time, in turns, the best of several rounds. With `--rows` a line of
# page, way and nanoseconds for each.
require_relative 'lib/pages'

WAYS = {
  'lines.size' => ->(html) { html.lines.size >= 50 },
  'lines.length' => ->(html) { html.lines.length >= 50 },
  'lines.count' => ->(html) { html.lines.count >= 50 },
  'each_line.count' => ->(html) { html.each_line.count >= 50 },
  'count($/)' => ->(html) { html.count($/) >= 50 },
  'count("\n")' => ->(html) { html.count("\n") >= 50 },
  'exact' => ->(html) { html.b.count("\n") + (html.empty? || html.end_with?("\n") ? 0 : 1) >= 50 },
  'each_line.first(50).size' => ->(html) { html.each_line.first(50).size >= 50 }
}.freeze

def seconds(way, html)
  times = [(20_000_000 / html.bytesize), 3].max
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  times.times { way.call(html) }
  (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / times
end

pages = Pages::SHAPES.keys.to_h { |name| [name, Pages.make(name)] }.merge('refusal' => Pages.refusal)
pages.each do |name, html|
  best = Hash.new(Float::INFINITY)
  5.times { WAYS.each { |way, code| best[way] = [best[way], seconds(code, html)].min } }
  if ARGV.include?('--rows')
    best.each { |way, time| puts "#{name}\t#{way}\t#{(time * 1e9).round}" }
  else
    figures = best.map { |way, time| format('%s %.0f', way, 1 / time) }
    puts "#{name} #{html.bytesize} B, #{html.count("\n")} lines, a second: #{figures.join(' · ')}"
  end
end
