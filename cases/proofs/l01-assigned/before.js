import { serve } from '../lib/service.js'
import { shipments, Shipments } from '../lib/shipments.js'

function receive(record, moment) {
  const copy = { ...record }
  copy.receivedAt = moment
  return copy
}

serve((random, count) => {
  const all = []
  for (const line of shipments(random, count).lines) all.push(receive(JSON.parse(line), random.moment()))
  return new Shipments(all)
})
