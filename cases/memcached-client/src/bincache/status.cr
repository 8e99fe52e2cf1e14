require "./errors"

module Bincache
  # What the server says of a question.
  module Status
    OK           = 0x0000_u16
    NO_KEY       = 0x0001_u16
    KEY_EXISTS   = 0x0002_u16
    TOO_LARGE    = 0x0003_u16
    BAD_ARGUMENT = 0x0004_u16
    NOT_STORED   = 0x0005_u16
    NO_NUMBER    = 0x0006_u16

    # The exception of a status that is no success.
    def self.error(status : UInt16, reason : String) : ServerError
      kind = case status
             when KEY_EXISTS then VersionConflict
             when TOO_LARGE  then ValueTooLarge
             else                 ServerError
             end
      kind.new("status 0x#{status.to_s(16)}: #{reason}")
    end
  end
end
