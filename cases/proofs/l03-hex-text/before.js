import { serve } from '../lib/service.js'
import { documentLines, Store } from './input.js'

class Document {
  constructor({ id, title, views, score }) {
    this.id = id
    this.title = title
    this.views = views
    this.score = score
  }
}

serve((random, count) => {
  const store = new Store()
  for (const line of documentLines(random, count).lines) store.documents.push(new Document(JSON.parse(line)))
  return store
})
