import { decoded } from '../lib/flat.js'

export function* visits(random, count) {
  const pages = random.list(random.integer(300, 3000), () => decoded(`/${random.word()}/${random.word()}`))
  const countries = random.list(random.integer(20, 200), () => decoded(random.word(4)))
  for (let index = 0; index < count; index++) {
    yield {
      page: random.favour(pages),
      country: random.favour(countries),
      seconds: random.integer(1, 4000),
      user: decoded(random.hex(20)),
      bounced: random.chance(0.4)
    }
  }
}
