import { serve } from '../lib/service.js'
import { endpoints, Metrics } from './input.js'

/** Counts by value: the values that came, and their counts beside them. */
function sparse(latencies) {
  const sorted = [...new Set(latencies)].sort((a, b) => a - b)
  const pairs = new Float64Array(sorted.length * 2)
  for (const [at, value] of sorted.entries()) pairs[at * 2] = value
  for (const latency of latencies) pairs[sorted.indexOf(latency) * 2 + 1]++
  return pairs
}

serve((random, count) => {
  const metrics = new Metrics()
  for (const [path, latencies] of endpoints(random, count)) metrics.histograms.set(path, sparse(latencies))
  return metrics
})
