/** Keys of 12 bytes. */
export function* keys(random, count) {
  for (let index = 0; index < count; index++) yield { key: random.bytes(12), hits: random.integer(0, 1e6) }
}

export class Item {
  constructor(hits) {
    this.hits = hits
  }
}

export class Cache {
  items = []
}
