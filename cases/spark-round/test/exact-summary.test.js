import assert from 'node:assert/strict'
import test from 'node:test'
import { ExactSummary } from '../lib/exact-summary.js'

test('percentiles are continuous: interpolated between neighbours', () => {
  assert.deepEqual(new ExactSummary([1, 50, 100]).toJSON(), {
    count: 3,
    p1: 1.98,
    p5: 5.9,
    p10: 10.8,
    p50: 50,
    p90: 90,
    p95: 95,
    p99: 99
  })
})

test('values are ordered as numbers, and the given array is left as it is', () => {
  const values = [100, 9, 20]
  assert.equal(new ExactSummary(values).toJSON().p50, 20)
  assert.deepEqual(values, [100, 9, 20])
})

test('one value is every percentile, and no value has none', () => {
  assert.equal(new ExactSummary([7]).toJSON().p99, 7)
  assert.deepEqual(new ExactSummary([]).toJSON(), { count: 0 })
})

test('only the percentiles are kept', () => {
  const summary = new ExactSummary(Array.from({ length: 10_000 }, (_, i) => i))
  assert.deepEqual(Object.keys(summary), ['count', 'percentiles'])
})
