import { serve } from '../lib/service.js'
import { orderLines, Orders } from './input.js'

serve((random, count) => {
  const orders = []
  for (const line of orderLines(random, count)) orders.push(JSON.parse(line))
  return new Orders(orders)
})
