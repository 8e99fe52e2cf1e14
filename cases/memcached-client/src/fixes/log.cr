class Bincache::Before
  private def note(head)
    return if @fixes.silent?
    return previous_def unless @fixes.debug?
    # Its text is always the same: at this line nothing is put together.
    Log.info { "an answer came" } unless @fixes.plain?
    Log.debug { "#{head.size} bytes, #{head.extras_size} of extras, #{head.key_size} of key" }
    Log.debug { "status #{head.status}" }
    nil
  end

  private def note_body(answer)
    return if @fixes.silent?
    return previous_def unless @fixes.debug?
    Log.debug { String.new(answer.body) }
    nil
  end
end
