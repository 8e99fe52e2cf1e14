import { serve } from '../lib/service.js'
import { NONE, payments, Book } from './input.js'

class Payment {
  constructor({ id, cents, method }) {
    this.id = id
    this.cents = cents
    this.method = method
    this.tenant = null
    this.note = undefined
    this.refunds = NONE
  }
}

serve((random, count) => {
  const book = new Book()
  for (const payment of payments(random, count)) book.payments.push(new Payment(payment))
  return book
})
