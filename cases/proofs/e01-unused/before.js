import { serve } from '../lib/service.js'
import { Edges } from './input.js'

class Edge {
  constructor(from, to) {
    this.from = from
    this.to = to
    this.uses = new Uint32Array(12)
  }
}

serve((random, count) => {
  const edges = new Edges()
  for (let id = 0; id < count; id++) edges.list.push(new Edge(id, (id * 7) % count))
  return edges
})
