import { serve } from '../lib/service.js'
import { LONGEST } from './input.js'
import { endpoints, Metrics } from './input.js'

serve((random, count) => {
  const metrics = new Metrics()
  for (const [path, latencies] of endpoints(random, count)) {
    const counts = new Float64Array(LONGEST)
    for (const latency of latencies) counts[latency]++
    metrics.histograms.set(path, counts)
  }
  return metrics
})
