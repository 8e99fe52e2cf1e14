import { serve } from '../lib/service.js'
import { blocks, Block, Chain } from './input.js'

const HASHES_IN_POOL = 1000

class PooledBlock extends Block {
  constructor(height, weight, pool, offset) {
    super(height, weight, pool)
    this.offset = offset
  }
}

serve((random, count) => {
  const chain = new Chain()
  let pool = null
  let used = 0
  for (const { height, hash, weight } of blocks(random, count)) {
    if (pool === null || used === pool.length) {
      pool = new Uint8Array(HASHES_IN_POOL * hash.length)
      used = 0
    }
    pool.set(hash, used)
    chain.blocks.push(new PooledBlock(height, weight, pool, used))
    used += hash.length
  }
  return chain
})
