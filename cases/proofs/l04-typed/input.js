/** Blocks with a hash each: 17 to 64 bytes, the same length in all of a run. */
export function* blocks(random, count) {
  const length = random.integer(17, 64)
  for (let height = 0; height < count; height++) {
    yield { height, hash: random.bytes(length), weight: random.integer(1, 4e6) }
  }
}

/** What knows a block by its hash: a Buffer, or where in a pool its bytes stand. */
export class Block {
  constructor(height, weight, hash) {
    this.height = height
    this.weight = weight
    this.hash = hash
  }
}

export class Chain {
  blocks = []
}
