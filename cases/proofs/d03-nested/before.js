import { serve } from '../lib/service.js'
import { stopLines, Stop, Timetable } from './input.js'

serve((random, count) => {
  const timetable = new Timetable()
  for (const line of stopLines(random, count)) {
    const { minute, place } = JSON.parse(line)
    timetable.stops.push(new Stop(minute, place))
  }
  return timetable
})
