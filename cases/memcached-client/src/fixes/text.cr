class Bincache::Before
  private def bytes(text : String)
    @fixes.text? ? text.to_slice : previous_def
  end
end
