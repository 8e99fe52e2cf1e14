import { lines } from '../lib/lines.js'

export function stopLines(random, count) {
  const places = random.list(random.integer(100, 2500), code => ({
    code,
    name: random.sentence(random.integer(12, 40)),
    position: { east: random.unit() * 360 - 180, north: random.unit() * 180 - 90 },
    platforms: random.list(random.integer(1, 6), () => random.sentence(12))
  }))
  return lines(count, () => ({ minute: random.integer(0, 1439), place: random.pick(places) }))
}

export class Stop {
  constructor(minute, place) {
    this.minute = minute
    this.place = place
  }
}

export class Timetable {
  stops = []
}
