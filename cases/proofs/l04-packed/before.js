import { serve } from '../lib/service.js'
import { keys, Item, Cache } from './input.js'

class BufferItem extends Item {
  constructor(hits, key) {
    super(hits)
    this.key = key
  }
}

serve((random, count) => {
  const cache = new Cache()
  for (const { key, hits } of keys(random, count)) cache.items.push(new BufferItem(hits, Buffer.from(key)))
  return cache
})
