import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeRound } from '../generate.js'
import { generateMeasurements } from '../lib/generator.js'
import { SHAPES } from '../lib/shapes.js'

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

const SHAPE_NAMES = Object.keys(SHAPES)

let folder

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spark-round-'))
  for (const shape of SHAPE_NAMES) {
    const file = createWriteStream(inputOf(shape))
    await writeRound(5000, file, shape)
    file.end()
    await finished(file)
  }
})

after(() => rm(folder, { recursive: true }))

function inputOf(shape) {
  return join(folder, `${shape}.ndjson`)
}

const runs = new Map()

/** What a variant prints. Each is run once on the same input. */
function run(variant, { shape = 'own', input = inputOf(shape) } = {}) {
  const key = `${variant} ${input}`
  if (!runs.has(key)) runs.set(key, execute(process.execPath, [programOf(variant), input, '--shape', shape]).then(read))
  return runs.get(key)
}

function programOf(variant) {
  return fileURLToPath(new URL(`../${variant}.js`, import.meta.url))
}

function read({ stdout, stderr }) {
  return { stdout, stderr, report: JSON.parse(stdout) }
}

for (const shape of SHAPE_NAMES) {
  test(`${shape}: variants with the same percentiles print the same statistics`, async () => {
    for (const [reference, ...others] of [WITH_HISTOGRAMS, EXACT]) {
      const { report } = await run(reference, { shape })
      for (const variant of others) assert.deepEqual((await run(variant, { shape })).report, report, variant)
    }
  })

  test(`${shape}: histograms change nothing but percentiles, and those within their error`, async () => {
    const approximate = structuredClone((await run('before', { shape })).report)
    const exact = structuredClone((await run('after', { shape })).report)
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
}

test('the published shape makes its statistics for the honest measurements and for all', async () => {
  const { size } = (await run('after', { shape: 'published' })).report
  assert.deepEqual(Object.keys(size), ['honest', 'all'])
  assert.ok(size.honest.count < size.all.count)
})

test('records that are strange but well formed count the same in every variant', async () => {
  const input = join(folder, 'strange.ndjson')
  const records = Array.from(generateMeasurements(500))
  records[3].start_at = '2019-01-01T00:00:00.000Z' // a clock that is years off
  records[4].id = Number.MAX_SAFE_INTEGER
  records[5].byte_length = 5 * 2 ** 32
  records[6].status_code = 0
  records[7].status_code = 123_456
  records[8].finished_at = '2024-13-45T00:00:00.000Z' // right in form, but no time
  records.forEach((record, i) => (record.spark_version = `1.${i}`)) // more versions than a byte counts
  await writeFile(input, records.map(record => JSON.stringify(record)).join('\n') + '\nnull\n[]\n"text"\n')
  for (const [reference, ...others] of [WITH_HISTOGRAMS, EXACT]) {
    const { report } = await run(reference, { input })
    assert.equal(report.rejected.finished_at >= 1, true)
    for (const variant of others) assert.deepEqual((await run(variant, { input })).report, report, variant)
  }
})

test('invalid measurements are logged on stderr, with the reason: the first in full', async () => {
  for (const variant of [...WITH_HISTOGRAMS, ...EXACT]) {
    const { stdout, stderr, report } = await run(variant)
    const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0)
    const lines = stderr.split('\n').filter(line => line.startsWith('Invalid measurement'))
    assert.equal(lines.length, 11)
    for (const line of lines.slice(0, 10)) assert.match(line, /^Invalid measurement: [a-z_]+ is not well formed \{$/)
    assert.equal(lines[10], `Invalid measurements: ${rejected - 10} more`)
    assert.match(stderr, /participant_address: '0x[0-9a-f]+'/)
    assert.ok(!stdout.includes('Invalid'))
  }
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

test('memory is reported on demand, in the last line of stderr', async () => {
  assert.doesNotMatch((await run('after')).stderr, /heapUsed/)
  const env = { ...process.env, SPARK_MEMORY: '1' }
  const { stderr } = await execute(process.execPath, [programOf('after'), inputOf('own')], { env })
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = JSON.parse(stderr.trim().split('\n').at(-1))
  for (const bytes of [heapUsed, external, arrayBuffers, rss]) assert.ok(bytes > 0)
  assert.ok(heapTotal > heapUsed)
})
