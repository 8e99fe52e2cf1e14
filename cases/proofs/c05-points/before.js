import { serve } from '../lib/service.js'
import { points } from './input.js'

class Track {
  // As the flat list is: it has as many slots as values come.
  constructor(count) {
    this.points = new Array(count)
  }
}

serve((random, count) => {
  const track = new Track(count)
  let at = 0
  for (const point of points(random, count)) track.points[at++] = point
  return track
})
