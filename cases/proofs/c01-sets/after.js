import { serve } from '../lib/service.js'
import { nodes, Tree } from './input.js'

class Node {
  marks = undefined

  constructor(label) {
    this.label = label
  }
}

serve((random, count) => {
  const tree = new Tree()
  for (const { label, marks } of nodes(random, count)) {
    const node = new Node(label)
    for (const other of marks ?? []) (node.marks ??= new Set()).add(`${other}`)
    tree.nodes.push(node)
  }
  return tree
})
