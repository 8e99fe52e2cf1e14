# frozen_string_literal: true

require_relative 'lib/search'

# A page of results has many lines; a refusal has few.
module Validator
  LEAST = 50

  def self.valid?(html)
    html.lines.first(LEAST).size >= LEAST
  end
end

Search.main(Validator) if $PROGRAM_NAME == __FILE__
