# What can go wrong, and the limits beyond which nothing is asked or believed.
module Bincache
  # The longest key of the protocol, in bytes.
  LONGEST_KEY = 250

  # The largest body that is believed, in bytes: memcached keeps no larger item.
  LARGEST_BODY = 128 * 1024 * 1024

  class Error < Exception
  end

  # The key is empty or longer than the protocol allows.
  class KeyError < Error
  end

  # There is no server, or it went away in the middle of an answer.
  class ConnectionError < Error
  end

  # The server did not answer in time.
  class TimeoutError < ConnectionError
  end

  # What came is no answer to what was asked.
  class ProtocolError < Error
  end

  # The server says that it did not do it.
  class ServerError < Error
  end

  # The item has another version than the one that was to be replaced.
  class VersionConflict < ServerError
  end

  # The server says that the value is too large.
  class ValueTooLarge < ServerError
  end
end
