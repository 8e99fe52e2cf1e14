import { serve } from '../lib/service.js'
import { address, Request, Requests } from './input.js'

serve((random, count) => {
  const requests = new Requests()
  const known = new Map()
  for (let id = 0; id < count; id++) {
    const text = address(id)
    let from = known.get(text)
    if (!from) known.set(text, (from = new URL(text)))
    requests.list.push(new Request(id, from))
  }
  return requests
})
