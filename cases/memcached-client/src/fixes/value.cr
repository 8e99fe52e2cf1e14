require "../bincache/answer"

class Bincache::Before
  private def response(head : Head, body : Bytes, extras : Bytes)
    @fixes.value? ? Answer.new(head, body) : previous_def
  end
end
