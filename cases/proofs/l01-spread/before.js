import { serve } from '../lib/service.js'
import { shipments, Shipments } from '../lib/shipments.js'

serve((random, count) => {
  const all = []
  for (const line of shipments(random, count).lines) all.push({ ...JSON.parse(line), receivedAt: random.moment() })
  return new Shipments(all)
})
