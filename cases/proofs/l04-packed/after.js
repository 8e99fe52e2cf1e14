import { serve } from '../lib/service.js'
import { keys, Item, Cache } from './input.js'

class PackedItem extends Item {
  constructor(hits, key) {
    super(hits)
    this.key0 = key.readInt32LE(0)
    this.key1 = key.readInt32LE(4)
    this.key2 = key.readInt32LE(8)
  }
}

serve((random, count) => {
  const cache = new Cache()
  for (const { key, hits } of keys(random, count)) cache.items.push(new PackedItem(hits, key))
  return cache
})
