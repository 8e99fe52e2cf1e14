class Bincache::Before
  @header = Bytes.new(Head::SIZE)

  private def header(opcode : UInt8, key_size, extras_size, size, opaque : UInt32, version : Int64)
    if @fixes.header?
      bytes = @header
    elsif @fixes.slice?
      bytes = Bytes.new(Head::SIZE)
    else
      return previous_def
    end
    bytes[0] = REQUEST
    bytes[1] = opcode
    IO::ByteFormat::BigEndian.encode(key_size.to_u16, bytes[2, 2])
    bytes[4] = extras_size.to_u8
    IO::ByteFormat::BigEndian.encode(size.to_u32, bytes[8, 4])
    IO::ByteFormat::BigEndian.encode(opaque, bytes[12, 4])
    IO::ByteFormat::BigEndian.encode(version, bytes[16, 8])
    bytes
  end
end
