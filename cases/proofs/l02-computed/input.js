import { decoded } from '../lib/flat.js'

export const COLUMNS = [
  'country', 'year', 'month', 'births', 'deaths', 'arrivals', 'departures', 'marriages', 'divorces', 'households',
  'dwellings', 'vacant', 'employed', 'unemployed', 'students', 'retired', 'income', 'median', 'rent', 'price', 'area',
  'density', 'source', 'revised'
]

/** Cells of each line of a table: numbers, some of them with decimals, and text. */
export function* table(random, count) {
  const wholes = COLUMNS.map(() => random.chance(0.75))
  for (let index = 0; index < count; index++) {
    yield COLUMNS.map((name, column) => {
      if (name === 'country' || name === 'source') return decoded(random.sentence(random.integer(5, 14)))
      return wholes[column] ? random.integer(0, 1e6) : random.integer(1, 1e6) / 8 + 0.0625
    })
  }
}

export class Census {
  rows = []
}
