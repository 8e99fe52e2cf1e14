import { serve } from '../lib/service.js'

class Graph {
  constructor(nodes, edges) {
    this.first = new Uint32Array(nodes + 1)
    this.to = new Uint32Array(edges)
    this.length = new Float32Array(edges)
  }
}

serve((random, count) => {
  const degree = random.list(count, () => random.integer(1, 6))
  const graph = new Graph(count, degree.reduce((sum, edges) => sum + edges, 0))
  for (let node = 0, edge = 0; node < count; node++) {
    graph.first[node] = edge
    for (let left = degree[node]; left > 0; left--, edge++) {
      graph.to[edge] = random.integer(0, count - 1)
      graph.length[edge] = random.unit() * 1000
    }
  }
  graph.first[count] = graph.to.length
  return { graph }
})
