# What can be mended of the client as it was, switched on one by one. Each file of `fixes` has one mend.
require "./before"

module Bincache
  @[Flags]
  enum Fix
    # Nothing is `Bytes.empty`.
    Empty
    # Keys and values are sent from where they are.
    Text
    # Extras of a question are written into one buffer.
    Extras
    # So is its header.
    Header
    # The header is a slice made for each question, as the published change has it.
    Slice
    # An answer's header is read into one buffer.
    Head
    # An answer's extras are.
    Room
    # A body is read to where it stays.
    Copy
    # One buffer serves all bodies.
    Body
    # An answer is a value.
    Value
    # Lines of log are for debugging.
    Debug
    # There are none.
    Silent

    # `before` for nothing, or names with commas between.
    def self.from_names(names : String) : self
      return None if names == "before"
      names.split(',').reduce(None) { |fixes, name| fixes | parse(name) }
    end
  end

  class Before
    property fixes = Fix::None
  end
end

require "./fixes/*"
