import { decoded } from '../lib/flat.js'

export function* items(random, count) {
  for (let index = 0; index < count; index++) {
    yield {
      index,
      name: decoded(random.sentence(random.integer(8, 50))),
      price: decoded((random.integer(100, 99999) / 100).toFixed(2)),
      link: decoded(`/${random.word()}/${random.word()}/${index}`)
    }
  }
}

export class Cache {
  fragments = new Map()
}
