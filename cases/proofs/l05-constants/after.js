import { serve } from '../lib/service.js'
import { CURRENCY, VERSION } from './input.js'
import { payments, Book } from './input.js'

class Payment {
  constructor({ id, cents, method }) {
    this.id = id
    this.cents = cents
    this.method = method
  }

  get currency() {
    return CURRENCY
  }

  get version() {
    return VERSION
  }
}

serve((random, count) => {
  const book = new Book()
  for (const payment of payments(random, count)) book.payments.push(new Payment(payment))
  return book
})
