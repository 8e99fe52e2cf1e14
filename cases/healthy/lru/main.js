import { decoded } from '../lib/flat.js'
import { serve } from '../lib/service.js'

class Node {
  previous = null
  next = null

  constructor(key, value) {
    this.key = key
    this.value = value
  }
}

class Lru {
  #byKey = new Map()
  #head = new Node('', null)
  #capacity

  constructor(capacity) {
    this.#capacity = capacity
    this.#head.previous = this.#head.next = this.#head
  }

  get(key) {
    const node = this.#byKey.get(key)
    if (node === undefined) return undefined
    this.#unlink(node)
    this.#link(node)
    return node.value
  }

  set(key, value) {
    const node = new Node(key, value)
    this.#byKey.set(key, node)
    this.#link(node)
    if (this.#byKey.size <= this.#capacity) return
    const oldest = this.#head.previous
    this.#unlink(oldest)
    this.#byKey.delete(oldest.key)
  }

  #link(node) {
    node.previous = this.#head
    node.next = this.#head.next
    node.next.previous = this.#head.next = node
  }

  #unlink(node) {
    node.previous.next = node.next
    node.next.previous = node.previous
  }
}

serve((random, count) => {
  const lru = new Lru(count)
  for (let index = 0; index < count * 2; index++) {
    const key = `page:${random.integer(0, count * 3)}`
    if (lru.get(key) === undefined) lru.set(key, decoded(random.sentence(random.integer(40, 400))))
  }
  return { lru }
})
