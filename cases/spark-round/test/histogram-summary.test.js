import assert from 'node:assert/strict'
import test from 'node:test'
import { ExactSummary } from '../lib/exact-summary.js'
import { HistogramSummary } from '../lib/histogram-summary.js'
import { PERCENTILES } from '../lib/percentiles.js'
import { Random } from '../lib/random.js'
import { SHAPES } from '../lib/shapes.js'

test('wide enough for the largest size, to five digits', () => {
  const largest = 64 * 1024 ** 3
  const { p50 } = new HistogramSummary([largest], SHAPES.own).toJSON()
  assert.ok(Math.abs(p50 - largest) / largest < 1e-5)
})

test('percentiles are values that came, where the exact ones lie between two', () => {
  const values = [1, 50, 100]
  assert.equal(new HistogramSummary(values, SHAPES.own).toJSON().p5, 1)
  assert.equal(new ExactSummary(values).toJSON().p5, 5.9)
})

for (const [name, shape] of Object.entries(SHAPES)) test(`${name}: percentiles are within five digits of a value next to the exact percentile`, () => {
  const random = new Random(7)
  const values = Array.from({ length: 5000 }, () => random.spreadOverMagnitudes(1, 30))
  const histogram = new HistogramSummary(values, shape).toJSON()
  const sorted = [...values].sort((a, b) => a - b)
  for (const p of PERCENTILES) {
    const rank = (p / 100) * (sorted.length - 1)
    const low = sorted[Math.floor(rank)]
    const high = sorted[Math.ceil(rank)]
    const value = histogram[`p${p}`]
    assert.ok(value >= low * (1 - 1e-5) && value <= high * (1 + 1e-5), `p${p}: ${low} ≤ ${value} ≤ ${high}`)
  }
})

test('no value has no percentiles', () => {
  assert.deepEqual(new HistogramSummary([], SHAPES.own).toJSON(), { count: 0 })
})
