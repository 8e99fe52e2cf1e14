import { serve } from '../lib/service.js'
import { nodes, Tree } from './input.js'

class Node {
  children = undefined

  constructor(label) {
    this.label = label
  }
}

serve((random, count) => {
  const tree = new Tree()
  for (const { label, children } of nodes(random, count)) {
    const node = new Node(label)
    for (const other of children ?? []) (node.children ??= []).push(`${other}`)
    tree.nodes.push(node)
  }
  return tree
})
