/** Readings of stations: whole numbers of several ranges, fractions, marks and moments. */
export function* readings(random, count) {
  const stations = random.integer(50, 60000)
  for (let index = 0; index < count; index++) {
    yield {
      station: random.integer(0, stations),
      sensor: random.integer(0, 200),
      at: random.moment(),
      value: random.unit() * 100,
      drift: random.integer(-30000, 30000),
      checked: random.chance(0.7)
    }
  }
}
