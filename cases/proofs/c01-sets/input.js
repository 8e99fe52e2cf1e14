import { decoded } from '../lib/flat.js'

/** Nodes of a tree; few of them have marks. */
export function* nodes(random, count) {
  const share = random.unit() / 4
  for (let index = 0; index < count; index++) {
    const label = decoded(random.sentence(random.integer(6, 30)))
    yield { label, marks: random.chance(share) ? random.list(random.integer(1, 5), () => random.integer(0, count)) : null }
  }
}

export class Tree {
  nodes = []
}
