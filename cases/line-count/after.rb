# frozen_string_literal: true

require_relative 'lib/search'

# A page of results has many lines; a refusal has few.
module Validator
  LEAST = 50

  def self.valid?(html)
    size(html) >= LEAST
  end

  def self.size(html)
    html.b.count("\n") + (html.empty? || html.end_with?("\n") ? 0 : 1)
  end
end

Search.main(Validator) if $PROGRAM_NAME == __FILE__
