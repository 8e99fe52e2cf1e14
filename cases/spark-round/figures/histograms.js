// What hdr-histogram-js makes of sizes, by the kind of its counters.

import hdr from 'hdr-histogram-js'
import { continuousPercentile } from '../lib/percentile.js'
import { Random } from '../lib/random.js'
import { SETTINGS } from '../original/retrieval-stats.js'

const COUNT = 100_000

const KINDS = {
  original: SETTINGS,
  packed: { ...SETTINGS, useWebAssembly: false },
  unpacked: { ...SETTINGS, bitBucketSize: 64, useWebAssembly: false }
}

/** For each kind: how many values it took before it threw, and its 5th percentile next to the exact one. */
export async function histogramFigures() {
  await hdr.initWebAssembly()
  const random = new Random(13)
  const values = Array.from({ length: COUNT }, () => random.below(300_000_000))
  return {
    values: COUNT,
    ...Object.fromEntries(Object.entries(KINDS).map(([kind, settings]) => [kind, measured(settings, values)]))
  }
}

function measured(settings, values) {
  const histogram = hdr.build(settings)
  let taken = 0
  let error = 'none'
  try {
    for (; taken < values.length; taken++) histogram.recordValue(values[taken])
  } catch (thrown) {
    error = thrown.message
  }
  const sorted = values.slice(0, taken).sort((a, b) => a - b)
  return {
    taken,
    error,
    p5: histogram.getValueAtPercentile(5),
    exact_p5: continuousPercentile(sorted, 5),
    p50: histogram.getValueAtPercentile(50),
    exact_p50: continuousPercentile(sorted, 50)
  }
}
