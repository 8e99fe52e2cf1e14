import { serve } from '../lib/service.js'
import { points, Scene } from './input.js'

serve((random, count) => {
  const scene = new Scene()
  for (const { label, kind, owner } of points(random, count)) {
    const point = {}
    point.label = label
    point.kind = kind
    scene.points.push(point)
  }
  return scene
})
