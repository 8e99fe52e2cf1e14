class Bincache::Before
  @extras = Bytes.new(20)

  private def expiry(seconds : UInt32)
    return previous_def unless @fixes.extras?
    IO::ByteFormat::BigEndian.encode(seconds, @extras[0, 4])
    @extras[0, 4]
  end

  private def flags_and_expiry(seconds : UInt32)
    return previous_def unless @fixes.extras?
    IO::ByteFormat::BigEndian.encode(0_u32, @extras[0, 4])
    IO::ByteFormat::BigEndian.encode(seconds, @extras[4, 4])
    @extras[0, 8]
  end

  private def counting(by : Int64, initial : Int64, seconds : UInt32)
    return previous_def unless @fixes.extras?
    IO::ByteFormat::BigEndian.encode(by, @extras[0, 8])
    IO::ByteFormat::BigEndian.encode(initial, @extras[8, 8])
    IO::ByteFormat::BigEndian.encode(seconds, @extras[16, 4])
    @extras
  end
end
