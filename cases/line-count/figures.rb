# frozen_string_literal: true

# What the table of the published text needs beside the fixes' rows, as one JSON object. DEADWEIGHT is the binary,
# DEADWEIGHT_SCRATCH a directory for pages and unpacked Rubies.
require 'fileutils'
require 'json'
require 'open3'
require_relative 'lib/pages'
require_relative 'lib/rubies'

SCRATCH = File.expand_path(ENV.fetch('DEADWEIGHT_SCRATCH'))
PAGES = File.join(SCRATCH, 'pages')
# 5 searches at once, each of 5 pages in a thread each.
TOGETHER = 5

def run(*command)
  warn command.grep(String).last(4).join(' ')
  out, errors, status = Open3.capture3(*command, chdir: __dir__)
  raise "#{command.join(' ')}: #{errors}" unless status.success?

  [out, errors]
end

# Nanoseconds by page and way.
def speed(starting)
  variables, command = starting
  version = run(variables, *command, '-e', 'print RUBY_VERSION').first
  rows = run(variables, *command, 'speed.rb', '--rows').first.lines.map { |line| line.chomp.split("\t") }
  pages = rows.group_by(&:first).transform_values { |ways| ways.to_h { |_, way, time| [way, Integer(time)] } }
  { version: version, pages: pages.transform_values { |ways| named(ways) } }
end

# Names that stand in a JSON pointer as they are.
NAMES = {
  'lines.size' => 'size', 'lines.length' => 'length', 'lines.count' => 'lines', 'each_line.count' => 'each_line',
  'count($/)' => 'separator', 'count("\n")' => 'literal', 'count("\n".freeze)' => 'frozen', 'exact' => 'exact',
  'each_line.first(50).size' => 'early', 'early' => 'early'
}.freeze

def named(ways)
  ways.transform_keys { |way| NAMES.fetch(way) }
end

# How many times faster each way is than `lines.count`, by page.
def faster(pages)
  pages.transform_values { |ways| ways.transform_values { |time| (ways['lines'].to_f / time).round(3) } }
end

# How many times as long each way takes as on another Ruby.
def slower(pages, than)
  pages.to_h { |page, ways| [page, ways.to_h { |way, time| [way, (time.to_f / than[page][way]).round(3)] }] }
end

# Nanoseconds of the two loops at each level of the compiler.
def loops
  return {} unless system('gcc', '--version', out: File::NULL, err: File::NULL)

  { 'O2' => '-O2', 'O3' => '-O3' }.transform_values do |level|
    program = File.join(SCRATCH, "loops#{level}")
    run('gcc', level, '-o', program, 'loops.c')
    narrow, wide = run(program).first.split.map { |time| Integer(time) }
    { int: narrow, size_t: wide, slower: (wide.to_f / narrow).round(3) }
  end.merge('gcc' => run('gcc', '-dumpfullversion').first.chomp)
end

# The median of five peaks of resident memory, in bytes.
def peak(program, together)
  peaks = Array.new(5) { Integer(run('ruby', '-r./lib/peak', program, PAGES, '40', together.to_s).last) }
  peaks.sort[2]
end

# What is found at which line, of searches in 25 threads at once.
def found
  kept = File.join(SCRATCH, 'record')
  FileUtils.rm_rf(kept)
  run(ENV.fetch('DEADWEIGHT'), 'run', '--churn', '--no-snapshot', '--dir', kept, '--', 'ruby', 'before.rb', PAGES, '4', TOGETHER.to_s)
  churned = JSON.parse(File.read(Dir[File.join(kept, '*/weighing.json')].first)).fetch('churned')
  finding = churned.fetch('findings').first
  { rule: finding['rule'], site: finding['site'], share: finding['saves'].to_f / churned['bytes'], title: finding['title'] }
end

FileUtils.mkdir_p(PAGES)
run('ruby', 'lib/pages.rb', PAGES)
speeds = Rubies.all(SCRATCH).transform_values { |starting| speed(starting) }
own = speeds.fetch('system')
sizes = Dir[File.join(PAGES, '*.html')].to_h { |path| [File.basename(path, '.html'), File.size(path)] }
puts JSON.generate(
  ruby: own[:version],
  pages: sizes,
  speed: own[:pages],
  faster: faster(own[:pages]),
  rubies: speeds.transform_values { |one| one.merge(faster: faster(one[:pages])) }
                .transform_keys { |name| name == 'system' ? 'system' : name.delete('.') },
  slower: speeds['2.7'] && slower(own[:pages], speeds['2.7'][:pages]),
  slower33: speeds['2.7'] && speeds['3.3'] && slower(speeds['3.3'][:pages], speeds['2.7'][:pages]),
  loops: loops,
  calls: run('ruby', 'calls.rb').first.lines.to_h do |line|
    way, objects, bytes = line.chomp.split("\t")
    [NAMES.fetch(way), { objects: Integer(objects), bytes: Integer(bytes) }]
  end,
  searches: %w[before after separator early].to_h do |name|
    objects, bytes = run('ruby', 'searches.rb', "#{name}.rb", PAGES).first.split.map { |number| Integer(number) }
    [name, { objects: objects, bytes: bytes }]
  end,
  peak: %w[before after early before-each-line].to_h do |name|
    [name.delete_prefix('before-').tr('-', '_'), { one: peak("#{name}.rb", 1), threads: peak("#{name}.rb", TOGETHER) }]
  end,
  found: found
)
