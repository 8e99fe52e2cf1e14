import { serve } from '../lib/service.js'
import { shipments, Shipments } from '../lib/shipments.js'

serve((random, count) => {
  const { lines, Record } = shipments(random, count)
  const all = []
  for (const line of lines) all.push(new Record(JSON.parse(line), random.moment()))
  return new Shipments(all)
})
