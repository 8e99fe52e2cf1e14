import { serve } from '../lib/service.js'
import { documentLines, Store } from './input.js'

const word = (id, at) => parseInt(id.slice(at * 8, at * 8 + 8), 16) | 0

class Document {
  constructor({ id, title, views, score }, wordsInId) {
    this.id0 = word(id, 0)
    this.id1 = word(id, 1)
    this.id2 = word(id, 2)
    if (wordsInId === 4) this.id3 = word(id, 3)
    this.title = title
    this.views = views
    this.score = score
  }
}

serve((random, count) => {
  const store = new Store()
  const { wordsInId, lines } = documentLines(random, count)
  for (const line of lines) store.documents.push(new Document(JSON.parse(line), wordsInId))
  return store
})
