import { serve } from '../lib/service.js'
import { blocks, Block, Chain } from './input.js'

serve((random, count) => {
  const chain = new Chain()
  for (const { height, hash, weight } of blocks(random, count)) {
    chain.blocks.push(new Block(height, weight, Uint8Array.from(hash)))
  }
  return chain
})
