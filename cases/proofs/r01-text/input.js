import { decoded } from '../lib/flat.js'

/** Pages with a title somewhere in them. */
export function* pages(random, count) {
  const length = random.integer(1500, 6000)
  for (let index = 0; index < count; index++) {
    const title = random.sentence(random.integer(16, 60))
    yield decoded(`<head><title>${title}</title></head><body>${random.sentence(random.integer(500, length))}</body>`)
  }
}

export class Crawl {
  titles = []
}
