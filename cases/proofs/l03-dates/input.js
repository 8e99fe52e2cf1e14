import { lines } from '../lib/lines.js'

export function ticketLines(random, count) {
  const open = random.unit() / 2
  return lines(count, id => {
    const openedAt = random.moment()
    const closedAt = random.chance(open) ? null : openedAt + random.integer(60, 9e5) * 1000
    return {
      id,
      title: random.sentence(random.integer(12, 60)),
      priority: random.integer(1, 5),
      openedAt: new Date(openedAt),
      closedAt: closedAt === null ? null : new Date(closedAt)
    }
  })
}

export class Ticket {
  constructor(id, title, priority, openedAt, closedAt) {
    this.id = id
    this.title = title
    this.priority = priority
    this.openedAt = openedAt
    this.closedAt = closedAt
  }
}

export class Desk {
  tickets = []
}
