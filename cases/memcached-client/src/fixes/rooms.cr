# Room that serves all answers of a client.
class Bincache::Before
  # Larger bodies have room of their own: nobody keeps a megabyte because one answer had it.
  SHARED_BODY = 4096

  @head_room = Bytes.new(Head::SIZE)
  @extras_room = Bytes.new(UInt8::MAX)
  @body_room = Bytes.new(SHARED_BODY)

  private def head_room
    @fixes.head? ? @head_room : previous_def
  end

  private def extras_room(size : Int32)
    @fixes.room? ? @extras_room[0, size] : previous_def
  end

  private def body_room(size : Int32)
    @fixes.body? && size <= SHARED_BODY ? @body_room[0, size] : previous_def
  end
end
