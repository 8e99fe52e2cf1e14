import { serve } from '../lib/service.js'
import { documents, Library } from './input.js'

class Attribute {
  constructor(key, value) {
    this.key = key
    this.value = value
  }
}

class Document {
  constructor(title, attributes) {
    this.title = title
    this.attributes = attributes.length === 1 ? new Attribute(...attributes[0]) : new Map(attributes)
  }
}

serve((random, count) => {
  const library = new Library()
  for (const { title, attributes } of documents(random, count)) library.documents.push(new Document(title, attributes))
  return library
})
