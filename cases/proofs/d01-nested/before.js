import { serve } from '../lib/service.js'
import { customerLines, Customers } from './input.js'

serve((random, count) => {
  const customers = new Customers()
  for (const line of customerLines(random, count)) {
    const customer = JSON.parse(line)
    customers.byId.set(customer.id, customer)
  }
  return customers
})
