import { serve } from '../lib/service.js'

class Builder {
  #pieces = []

  add(text) {
    this.#pieces.push(text)
    return this
  }

  build() {
    return this.#pieces.join('')
  }
}

serve((random, count) => {
  const pages = []
  for (let index = 0; index < count; index++) {
    const builder = new Builder().add('<h1>').add(random.sentence(20)).add('</h1>')
    for (let line = random.integer(2, 20); line > 0; line--) builder.add(`<p>${random.sentence(random.integer(10, 60))}</p>`)
    pages.push(builder.build())
  }
  return { pages }
})
