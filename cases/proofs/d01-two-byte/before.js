import { serve } from '../lib/service.js'
import { shopLines, Shops } from './input.js'

serve((random, count) => {
  const shops = []
  for (const line of shopLines(random, count)) shops.push(JSON.parse(line))
  return new Shops(shops)
})
