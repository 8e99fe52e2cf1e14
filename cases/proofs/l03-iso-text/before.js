import { serve } from '../lib/service.js'
import { eventLines, Event, Calendar } from './input.js'

serve((random, count) => {
  const calendar = new Calendar()
  for (const line of eventLines(random, count)) {
    const { id, title, seats, createdAt, updatedAt } = JSON.parse(line)
    calendar.events.push(new Event(id, title, seats, createdAt, updatedAt))
  }
  return calendar
})
