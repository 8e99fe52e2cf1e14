import { decoded } from '../lib/flat.js'
import { serve } from '../lib/service.js'

class Trade {
  constructor(symbol, venue, price, amount) {
    this.symbol = symbol
    this.venue = venue
    this.price = price
    this.amount = amount
  }
}

serve((random, count) => {
  const symbols = random.list(800, () => decoded(random.word(5)))
  const venues = random.list(20, () => decoded(random.sentence(16)))
  const trades = []
  for (let index = 0; index < count; index++) {
    trades.push(new Trade(random.favour(symbols), random.pick(venues), random.unit() * 500, random.integer(1, 1e6)))
  }
  return { trades }
})
