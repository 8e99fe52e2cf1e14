import { serve } from '../lib/service.js'
import { points } from './input.js'

class Track {
  constructor(count) {
    this.points = new Array(2 * count)
  }
}

serve((random, count) => {
  const track = new Track(count)
  let at = 0
  for (const [longitude, latitude] of points(random, count)) {
    track.points[at++] = longitude
    track.points[at++] = latitude
  }
  return track
})
