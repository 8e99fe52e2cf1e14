class Bincache::Before
  private def fill(socket, body : Bytes)
    @fixes.copy? ? socket.read_fully(body) : previous_def
  end
end
