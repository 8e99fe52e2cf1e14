import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { customerLines, Customers } from './input.js'

serve((random, count) => {
  const intern = interner()
  const customers = new Customers()
  for (const line of customerLines(random, count)) {
    const customer = JSON.parse(line)
    const { address } = customer.contact
    address.street = intern(address.street)
    address.region = intern(address.region)
    customers.byId.set(customer.id, customer)
  }
  return customers
})
