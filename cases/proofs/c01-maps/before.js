import { serve } from '../lib/service.js'
import { nodes, Tree } from './input.js'

class Node {
  weights = new Map()

  constructor(label) {
    this.label = label
  }
}

serve((random, count) => {
  const tree = new Tree()
  for (const { label, weights } of nodes(random, count)) {
    const node = new Node(label)
    for (const other of weights ?? []) node.weights.set(`${other}`, label)
    tree.nodes.push(node)
  }
  return tree
})
