import { serve } from '../lib/service.js'
import { documents, Library } from './input.js'

class Document {
  constructor(title, attributes) {
    this.title = title
    this.attributes = new Map(attributes)
  }
}

serve((random, count) => {
  const library = new Library()
  for (const { title, attributes } of documents(random, count)) library.documents.push(new Document(title, attributes))
  return library
})
