import { serve } from '../lib/service.js'
import { nodes, Tree } from './input.js'

class Node {
  extra = {}

  constructor(label) {
    this.label = label
  }
}

serve((random, count) => {
  const tree = new Tree()
  for (const { label, extra } of nodes(random, count)) {
    const node = new Node(label)
    for (const other of extra ?? []) node.extra.first = `${other}`
    tree.nodes.push(node)
  }
  return tree
})
