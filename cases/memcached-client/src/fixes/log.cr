class Bincache::Before
  private def note_answer
    return if @fixes.silent?
    @fixes.debug? ? Log.debug { "an answer came" } : previous_def
  end

  private def note_sizes(head)
    return if @fixes.silent?
    return previous_def unless @fixes.debug?
    Log.debug { "#{head.size} bytes, #{head.extras_size} of extras, #{head.key_size} of key" }
  end

  private def note_status(head)
    return if @fixes.silent?
    @fixes.debug? ? Log.debug { "status #{head.status}" } : previous_def
  end

  private def note_body(answer)
    return if @fixes.silent?
    @fixes.debug? ? Log.debug { String.new(answer.body) } : previous_def
  end
end
