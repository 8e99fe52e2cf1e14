class Bincache::Before
  private def note(head)
    return if @fixes.silent?
    return previous_def unless @fixes.debug?
    # In another order than `previous_def`: the compiler makes one of ends that are alike, and then neither has a line.
    Log.debug { "status #{head.status}" }
    Log.debug { "#{head.size} bytes, #{head.extras_size} of extras, #{head.key_size} of key" }
    Log.debug { "an answer came" }
    nil
  end

  private def note_body(answer)
    return if @fixes.silent?
    return previous_def unless @fixes.debug?
    Log.debug { String.new(answer.body) }
    nil
  end
end
