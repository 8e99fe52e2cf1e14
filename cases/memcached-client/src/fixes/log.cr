class Bincache::Client
  private def note(name, key)
  end

  private def note_answer(name, answer)
  end
end
