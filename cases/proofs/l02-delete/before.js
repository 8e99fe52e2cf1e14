import { serve } from '../lib/service.js'
import { shipments, Shipments } from '../lib/shipments.js'

serve((random, count) => {
  const all = []
  for (const line of shipments(random, count).lines) {
    const record = JSON.parse(line)
    delete record.session
    all.push(record)
  }
  return new Shipments(all)
})
