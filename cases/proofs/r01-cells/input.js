import { decoded } from '../lib/flat.js'

/** Lines of a table; the second cell is the name. */
export function* rows(random, count) {
  const cells = random.integer(6, 25)
  for (let index = 0; index < count; index++) {
    const rest = random.list(cells, () => random.integer(0, 1e9)).join(';')
    yield decoded(`${index};${random.sentence(random.integer(14, 40))};${random.sentence(random.integer(100, 300))};${rest}`)
  }
}

export class Import {
  names = []
}
