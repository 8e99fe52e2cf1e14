import { serve } from '../lib/service.js'
import { points, Scene } from './input.js'

serve((random, count) => {
  const scene = new Scene()
  for (const { label, kind } of points(random, count)) scene.points.push({ label, kind })
  return scene
})
