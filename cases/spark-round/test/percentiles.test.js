// The ways to a percentile that the published text weighs, and why all but one were given up.

import assert from 'node:assert/strict'
import test from 'node:test'
import hdr from 'hdr-histogram-js'
import percentile from 'just-percentile'
import { ExactSummary } from '../lib/exact-summary.js'
import { continuousPercentile, percentilesOf } from '../lib/percentile.js'
import { Random } from '../lib/random.js'
import { SETTINGS } from '../original/retrieval-stats.js'

// As a service sees them: sizes from nothing to hundreds of millions.
function sizes(count) {
  const random = new Random(11)
  return Array.from({ length: count }, () => random.below(300_000_000))
}

const byNumber = (a, b) => a - b

function histogram(settings, values) {
  const made = hdr.build(settings)
  for (const value of values) made.recordValue(value)
  return made
}

test('packed histograms in WebAssembly, as the original had them, throw while values are added', async () => {
  await hdr.initWebAssembly()
  const values = sizes(20_000)
  assert.throws(() => histogram(SETTINGS, values), /abort: Index out of range/)
  const { count, p5, p10 } = new ExactSummary(values).toJSON()
  assert.equal(count, values.length)
  assert.ok(p5 > 10_000_000 && p10 > p5)
})

test('they throw at values out of range: below zero, and no number', async () => {
  await hdr.initWebAssembly()
  for (const value of [-1, NaN, Infinity]) {
    const made = hdr.build(SETTINGS)
    assert.throws(() => made.recordValue(value))
    made.destroy()
  }
  assert.throws(() => histogram({ ...SETTINGS, useWebAssembly: false }, [-1]), /cannot be negative/)
  // With a highest value that may not grow, above it too.
  const narrow = { ...SETTINGS, useWebAssembly: false, autoResize: false, highestTrackableValue: 1_000_000 }
  assert.throws(() => histogram(narrow, [300_000_000]))
  assert.equal(new ExactSummary([-1, 300_000_000]).toJSON().count, 2)
})

test('packed histograms lose values: the lowest percentiles of sizes up to hundreds of millions are zero', () => {
  const values = sizes(20_000)
  const made = histogram({ ...SETTINGS, useWebAssembly: false }, values)
  const exact = new ExactSummary(values).toJSON()
  for (const p of [5, 10]) {
    assert.equal(made.getValueAtPercentile(p), 0)
    assert.ok(exact[`p${p}`] > 10_000_000)
  }
})

test('without WebAssembly, packed histograms do not throw, but are as wrong; unpacked ones are right', () => {
  const random = new Random(12)
  const values = Array.from({ length: 20_000 }, () => random.spreadOverMagnitudes(6, 22))
  const p50 = continuousPercentile([...values].sort(byNumber), 50)
  const median = bitBucketSize =>
    histogram({ ...SETTINGS, bitBucketSize, useWebAssembly: false }, values).getValueAtPercentile(50)
  assert.ok(Math.abs(median(64) - p50) / p50 < 0.01)
  assert.ok(Math.abs(median('packed') - p50) / p50 > 0.5)
})

test('sizes of failed retrievals are zero, and so are the percentiles if they count: exact ones too', () => {
  const values = [...sizes(850), ...Array(150).fill(0)]
  assert.equal(new ExactSummary(values).toJSON().p5, 0)
  assert.equal(new ExactSummary(values).toJSON().p10, 0)
  // Which is why a round counts the sizes of retrievals that came to an end.
  assert.ok(new ExactSummary(sizes(850)).toJSON().p5 > 0)
})

test('numbers sort as text without a comparator: 10 before 2', () => {
  assert.deepEqual([2, 10, 9].sort(), [10, 2, 9])
  assert.deepEqual([2, 10, 9].sort(byNumber), [2, 9, 10])
  // A percentile of the wrong order is wrong.
  assert.equal(continuousPercentile([2, 10, 9].sort(), 50), 2)
  assert.equal(new ExactSummary([2, 10, 9]).toJSON().p50, 9)
  // Typed arrays sort by number.
  assert.deepEqual(Int32Array.of(2, 10, 9).sort(), Int32Array.of(2, 9, 10))
})

test('the discrete percentile: of few values, the lowest is the median or the least, and the highest is outside', () => {
  const values = [1, 50, 100]
  const at = p => Math.ceil((p * values.length) / 100)
  assert.equal(at(5), 1)
  // Taken as an index from 0, as the text has it: the 5th percentile is the median.
  assert.equal(values[at(5)], 50)
  assert.equal(values[at(5)], continuousPercentile(values, 50))
  // And the 100th is no value at all.
  assert.equal(values[at(100)], undefined)
  // Counted from 1 (the nearest rank), it is the least.
  assert.equal(values[at(5) - 1], 1)
  // Rounded down, as the first version of the original's code had it, it is the least too.
  assert.equal(values[Math.floor((5 * values.length) / 100)], 1)
})

test('the continuous percentile: the 5th of 1, 50 and 100 is 5.9', () => {
  assert.ok(Math.abs(continuousPercentile([1, 50, 100], 5) - 5.9) < 1e-9)
  assert.equal(new ExactSummary([1, 50, 100]).toJSON().p5, 5.9)
})

test('just-percentile computes the continuous one', () => {
  for (const count of [1, 2, 3, 10, 999, 1000]) {
    const values = sizes(count)
    const sorted = [...values].sort(byNumber)
    const ours = percentilesOf(sorted, [1, 5, 10, 50, 90, 95, 99, 100])
    for (const [name, value] of Object.entries(ours)) {
      const theirs = percentile(values.slice(), Number(name.slice(1)) / 100)
      assert.ok(Math.abs(theirs - value) <= 1e-9 * value, `${name} of ${count}: ${theirs} and ${value}`)
    }
  }
})
