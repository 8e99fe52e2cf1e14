import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { orderLines, Orders } from './input.js'

serve((random, count) => {
  const intern = interner()
  const orders = []
  for (const line of orderLines(random, count)) {
    const order = JSON.parse(line)
    order.city = intern(order.city)
    order.email = intern(order.email)
    orders.push(order)
  }
  return new Orders(orders)
})
