import assert from 'node:assert/strict'
import test from 'node:test'
import { RoundClock, toDate, toMs } from '../lib/time.js'

const START = '2024-05-13T09:00:00.000Z'
const END = '2024-05-13T09:00:01.250Z'

test('differences are milliseconds, however times are kept', () => {
  for (const toTime of [toDate, toMs, new RoundClock().toOffset]) {
    assert.equal(toTime(END) - toTime(START), 1250)
    assert.equal(toTime(null), null)
  }
})

test('offsets count from the first time, to either side', () => {
  const { toOffset } = new RoundClock()
  assert.deepEqual([END, START, END].map(toOffset), [0, -1250, 0])
})

test('a clock that is years off keeps its distance', () => {
  const { toOffset } = new RoundClock()
  toOffset(START)
  const early = '2019-01-01T00:00:00.000Z'
  assert.equal(toOffset(early), Date.parse(early) - Date.parse(START))
})
