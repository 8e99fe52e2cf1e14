import { serve } from '../lib/service.js'
import { address, Request, Requests } from './input.js'

serve((random, count) => {
  const requests = new Requests()
  for (let id = 0; id < count; id++) requests.list.push(new Request(id, new URL(address(id))))
  return requests
})
