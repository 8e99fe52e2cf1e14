import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeRound } from '../generate.js'

const execute = promisify(execFile)
const WITH_HISTOGRAMS = ['before', 'fix-class', 'fix-intern', 'fix-ms', 'chain-1-class', 'chain-2-intern']
const EXACT = [
  'fix-percentiles',
  'chain-3-percentiles',
  'chain-4-ms',
  'chain-5-offsets',
  'chain-6-columns',
  'after'
]
const METRICS = ['ttfb', 'duration', 'size']

let folder
let input

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spark-round-'))
  input = join(folder, 'round.ndjson')
  const file = createWriteStream(input)
  await writeRound(5000, file)
  file.end()
  await finished(file)
})

after(() => rm(folder, { recursive: true }))

async function run(variant, env = {}) {
  const program = fileURLToPath(new URL(`../${variant}.js`, import.meta.url))
  const { stdout, stderr } = await execute(process.execPath, [program, input], { env: { ...process.env, ...env } })
  return { report: JSON.parse(stdout), stderr }
}

test('variants with the same percentiles print the same statistics', async () => {
  for (const [reference, ...others] of [WITH_HISTOGRAMS, EXACT]) {
    const { report } = await run(reference)
    for (const variant of others) assert.deepEqual((await run(variant)).report, report, variant)
  }
})

test('histograms change nothing but percentiles, and those within their error', async () => {
  const { report: approximate } = await run('before')
  const { report: exact } = await run('after')
  for (const metric of METRICS) {
    for (const group of Object.keys(exact[metric])) {
      assert.equal(approximate[metric][group].count, exact[metric][group].count)
    }
    // Where values are rare, a histogram's percentile and the exact one differ by the
    // distance between two neighbours, so only the largest group is compared.
    for (const [name, value] of Object.entries(exact[metric].all)) {
      const error = Math.abs(approximate[metric].all[name] - value) / value
      assert.ok(error < 0.05, `${metric}.${name} is off by ${error}`)
    }
    delete approximate[metric]
    delete exact[metric]
  }
  assert.deepEqual(approximate, exact)
})

test('the round is what was generated', async () => {
  const { report } = await run('after')
  const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0)
  assert.equal(report.measurements + rejected, 5000)
  assert.ok(rejected > 0)
  assert.ok(report.successRate > 0.7 && report.successRate < 0.9)
  assert.equal(report.ttfb.all.count, report.results.OK)
  const { http, bitswap, graphsync } = report.size
  assert.equal(http.count + bitswap.count + graphsync.count, report.size.all.count)
})

test('memory is reported on demand, on stderr', async () => {
  assert.equal((await run('after')).stderr, '')
  const { heapUsed, external, arrayBuffers, rss } = JSON.parse((await run('after', { SPARK_MEMORY: '1' })).stderr)
  for (const bytes of [heapUsed, external, arrayBuffers, rss]) assert.ok(bytes > 0)
})
