# frozen_string_literal: true

# A search asks several engines at once and takes the answers that are results, not refusals.
class Search
  def initialize(pages, validator)
    @pages = pages
    @validator = validator
  end

  # Names of the engines whose answer is to be used.
  def run
    @pages.map { |name, html| Thread.new { name if @validator.valid?(html) } }.filter_map(&:value)
  end

  # Reads the pages of a directory and searches so many times, so many of them at once; prints what was accepted, and
  # objects made by the searches.
  def self.main(validator)
    directory, times, together = ARGV
    search = new(pages(directory), validator)
    accepted = search.run
    before = GC.stat(:total_allocated_objects)
    Integer(times).times { search.together(Integer(together || 1)) == accepted or raise 'the answers changed' }
    objects = GC.stat(:total_allocated_objects) - before
    puts "#{accepted.join(',')} #{objects}"
  end

  # Pages of a directory by the name of their engine.
  def self.pages(directory)
    Dir[File.join(directory, '*.html')].sort.to_h { |path| [File.basename(path, '.html'), File.read(path)] }
  end

  # The answer of several searches at once, which have to agree.
  def together(count)
    return run if count == 1

    answers = Array.new(count) { Thread.new { run } }.map(&:value)
    answers.uniq.size == 1 ? answers.first : answers
  end
end
