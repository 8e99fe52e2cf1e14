import { decoded } from '../lib/flat.js'
import { serve } from '../lib/service.js'

class Entry {
  constructor(random) {
    this.body = decoded(random.sentence(random.integer(20, 200)))
    this.cost = random.unit()
    this.hits = random.integer(0, 1000)
    this.expires = random.integer(0, 86400)
  }
}

serve((random, count) => {
  const cache = new Map()
  for (let index = 0; index < count; index++) cache.set(decoded(random.hex(20)), new Entry(random))
  return { cache }
})
