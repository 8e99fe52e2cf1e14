/** Points of a track: longitude and latitude. */
export function* points(random, count) {
  for (let index = 0; index < count; index++) {
    yield [random.unit() * 360 - 180, random.unit() * 180 - 90]
  }
}
