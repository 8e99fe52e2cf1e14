import { serve } from '../lib/service.js'
import { items, Cache } from './input.js'

serve((random, count) => {
  const cache = new Cache()
  for (const { index, name, price, link } of items(random, count)) {
    cache.fragments.set(index, ['<li><a href="', link, '">', name, '</a> <b>', price, '</b></li>'].join(''))
  }
  return cache
})
