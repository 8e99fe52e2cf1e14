# frozen_string_literal: true

# What searches make, five at once with five threads each, as memory_profiler counts it:
# `ruby searches.rb before.rb DIRECTORY`.
require_relative 'lib/allocated'
require_relative 'lib/search'

program, directory = ARGV
require_relative program
search = Search.new(Search.pages(directory), Validator)
search.together(5)
puts Allocated.by { search.together(5) }.join(' ')
