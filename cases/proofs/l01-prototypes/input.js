import { decoded } from '../lib/flat.js'

const COLORS = ['teal', 'amber', 'coral', 'slate']
const LANGUAGES = ['de', 'en', 'fr', 'pl', 'pt']

export function* settings(random, count) {
  for (let index = 0; index < count; index++) {
    yield {
      name: decoded(random.sentence(random.integer(8, 40))),
      color: random.pick(COLORS),
      limit: random.integer(1, 5000),
      trial: random.chance(0.2),
      language: random.pick(LANGUAGES)
    }
  }
}

export class Tenants {
  list = []
}
