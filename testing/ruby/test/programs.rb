# frozen_string_literal: true

# What tests hold and make: the same data, wastefully and well.
module Programs
  Visit = Struct.new(:city, :at)
  CITIES = ['Rotterdam-Alexander in the north', 'Frankfurt am Main in the south', 'San Luis Obispo in the west'].freeze

  module_function

  def wasteful(count)
    Array.new(count) { |at| Visit.new(CITIES[at % CITIES.size].dup << ' ', at) }
  end

  def healthy(count)
    Array.new(count) { |at| Visit.new(CITIES[at % CITIES.size], at) }
  end

  # The whole list is made only to be counted.
  def count_lines_wastefully(text)
    text.lines.count
  end

  def count_lines(text)
    text.count("\n")
  end
end
