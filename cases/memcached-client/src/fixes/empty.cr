class Bincache::Client
  # Read by all, changed by nobody.
  NOTHING = [] of UInt8

  private def nothing
    NOTHING
  end
end
