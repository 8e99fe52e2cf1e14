import { serve } from '../lib/service.js'
import { ticketLines, Ticket, Desk } from './input.js'

const date = text => (text === null ? null : new Date(text))

serve((random, count) => {
  const desk = new Desk()
  for (const line of ticketLines(random, count)) {
    const { id, title, priority, openedAt, closedAt } = JSON.parse(line)
    desk.tickets.push(new Ticket(id, title, priority, date(openedAt), date(closedAt)))
  }
  return desk
})
