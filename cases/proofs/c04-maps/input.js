import { decoded } from '../lib/flat.js'

/** Documents with attributes: nearly all have one. */
export function* documents(random, count) {
  const share = random.unit() / 10
  for (let index = 0; index < count; index++) {
    const title = decoded(random.sentence(random.integer(6, 30)))
    const attributes = random.chance(share) ? random.integer(2, 6) : 1
    yield { title, attributes: random.list(attributes, (at) => [decoded(`attribute ${at} of ${index}`), title]) }
  }
}

export class Library {
  documents = []
}
