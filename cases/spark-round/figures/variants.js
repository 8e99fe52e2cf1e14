// The memory of every variant as a Markdown table, after garbage is collected:
//
//   node figures/variants.js ROUND [SHAPE]

import { runVariant } from './programs.js'

const VARIANTS = [
  'before',
  'fix-class',
  'fix-intern',
  'fix-percentiles',
  'fix-ms',
  'chain-1-class',
  'chain-2-intern',
  'chain-3-percentiles',
  'chain-4-ms',
  'chain-5-offsets',
  'chain-6-columns'
]

const [input, shape = 'own'] = process.argv.slice(2)
const mb = bytes => (bytes / 1e6).toFixed(1)
let held

console.log('| program | heapUsed | heapTotal | external | RSS | heapUsed + external saved | CPU |')
console.log('|---|---|---|---|---|---|---|')
for (const variant of VARIANTS) {
  const memory = runVariant(variant, input, { shape })
  const { heapUsed, heapTotal, external, rss, cpu } = memory
  held ??= heapUsed + external
  const saved = variant === 'before' ? '' : mb(held - heapUsed - external)
  const cells = [variant, mb(heapUsed), mb(heapTotal), mb(external), (rss / 1e6).toFixed(0), saved]
  console.log(`| ${cells.join(' | ')} | ${(cpu / 1e6).toFixed(2)} s |`)
}
