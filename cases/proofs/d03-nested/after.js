import { serve } from '../lib/service.js'
import { stopLines, Stop, Timetable } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const timetable = new Timetable()
  for (const line of stopLines(random, count)) {
    const { minute, place } = JSON.parse(line)
    if (!seen.has(place.code)) seen.set(place.code, place)
    timetable.stops.push(new Stop(minute, seen.get(place.code)))
  }
  return timetable
})
