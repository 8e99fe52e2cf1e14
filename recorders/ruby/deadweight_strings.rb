# frozen_string_literal: true

module Deadweight
  # Strings whose characters a dump does not have: those that are not plain ASCII, and those that share another's. Any
  # string that may be equal to one of these is noted too, so that it can be told whether it is.
  class Strings
    BYTES = String.instance_method(:bytesize)
    ASCII = String.instance_method(:ascii_only?)
    HASH = String.instance_method(:hash)
    ENCODING = String.instance_method(:encoding)
    # Copies bytes; a slice up to the end of a string would make the string itself share its characters.
    COPY = String.instance_method(:unpack1)

    # Characters of a text that are kept for showing it, and how many texts.
    SHOWN = 60
    MOST = 65_536
    BEGINNING = "a#{SHOWN}"

    # The longest that never shares its characters.
    OWN = 23

    attr_reader :excerpts

    def initialize
      @excerpts = {}
    end

    # Calls `append` with address, bytes and hash of each; gives their number. The interpreter's own hash has a key of
    # this process, which is written nowhere.
    def each(append)
      count = 0
      ObjectSpace.each_object(String) do |string|
        bytes = BYTES.bind_call(string)
        ascii = ASCII.bind_call(string)
        next if ascii && bytes <= OWN

        hash = HASH.bind_call(string)
        append.call([Fiddle.dlwrap(string), bytes, hash])
        @excerpts[hash] ||= excerpt(string) if !ascii && @excerpts.size < MOST
        count += 1
      end
      count
    end

    private

    # How a text begins.
    def excerpt(string)
      COPY.bind_call(string, BEGINNING).force_encoding(ENCODING.bind_call(string)).scrub
    end
  end
end
