import { lines } from '../lib/lines.js'

export function eventLines(random, count) {
  return lines(count, id => {
    const createdAt = random.moment()
    return {
      id,
      title: random.sentence(random.integer(12, 50)),
      seats: random.integer(2, 400),
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(createdAt + random.integer(1000, 1e9)).toISOString()
    }
  })
}

export class Event {
  constructor(id, title, seats, createdAt, updatedAt) {
    this.id = id
    this.title = title
    this.seats = seats
    this.createdAt = createdAt
    this.updatedAt = updatedAt
  }
}

export class Calendar {
  events = []
}
