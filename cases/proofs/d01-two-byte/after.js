import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { shopLines, Shops } from './input.js'

serve((random, count) => {
  const intern = interner()
  const shops = []
  for (const line of shopLines(random, count)) {
    const shop = JSON.parse(line)
    shop.town = intern(shop.town)
    shop.trade = intern(shop.trade)
    shops.push(shop)
  }
  return new Shops(shops)
})
