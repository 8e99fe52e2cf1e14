import { lines } from '../lib/lines.js'

/** Jobs of one day: their times lie near each other. */
export function jobLines(random, count) {
  const day = random.moment()
  const tagged = random.chance(0.5)
  return lines(count, id => {
    const startedAt = day + random.integer(0, 86400000)
    return {
      id,
      command: random.sentence(random.integer(10, 40)),
      tries: random.integer(1, 6),
      load: tagged ? random.integer(0, 4) : random.unit() * 4,
      startedAt,
      endedAt: startedAt + random.integer(1, 3600000)
    }
  })
}

export class Job {
  constructor(id, command, tries, load, startedAt, endedAt) {
    this.id = id
    this.command = command
    this.tries = tries
    this.load = load
    this.startedAt = startedAt
    this.endedAt = endedAt
  }
}

export class Queue {
  base = 0
  jobs = []
}
