'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Interner } = require('..')
const { collectGarbage } = require('./collect-garbage.js')

test('texts and other values keep what they are', () => {
  const strings = new Interner({ copy: true })
  for (const value of ['', 'a', 'ü', '\u{1f600}', '\ud800', 'ab', 1, null, undefined, true]) {
    assert.equal(strings.intern(value), value)
    assert.equal(strings.intern(value), value)
  }
})

test('fields are interned in place, all of them or those named', () => {
  const record = () => ({ cid: 'bafy', size: 5, at: 'once' })
  const all = new Interner()
  assert.deepEqual(all.internFields(record()), record())
  assert.equal(all.size, 2)
  const named = new Interner()
  assert.deepEqual(named.internFields(record(), ['cid', 'missing']), record())
  assert.equal(named.size, 1)
  assert.ok(!('missing' in named.internFields(record(), ['cid', 'missing'])))
})

test('it is bounded, and starts anew when it is cleared', () => {
  const strings = new Interner({ maxEntries: 2, maxLength: 3 })
  for (const text of ['a', 'b', 'c', 'long']) assert.equal(strings.intern(text), text)
  assert.equal(strings.size, 2)
  strings.clear()
  assert.equal(strings.size, 0)
  strings.intern('c')
  strings.intern('long')
  assert.equal(strings.size, 1)
})

test('equal texts are one string afterwards', () => {
  const strings = new Interner()
  const held = interner => Array.from({ length: 20_000 }, (_, i) => interner(JSON.parse(`"text number ${i % 10}, and more"`)))
  const bytes = interner => {
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const texts = held(interner)
    collectGarbage()
    const after = process.memoryUsage().heapUsed
    assert.equal(texts.length, 20_000)
    return after - before
  }
  assert.ok(bytes(text => text) - bytes(text => strings.intern(text)) > 20_000 * 30)
})

test('limits that are none are refused', () => {
  for (const limit of [0, -1, 1.5, NaN, '5', null]) {
    assert.throws(() => new Interner({ maxEntries: limit }), RangeError)
    assert.throws(() => new Interner({ maxLength: limit }), RangeError)
  }
})

test('it ends with its block', { skip: !Symbol.dispose && 'no Symbol.dispose' }, () => {
  const strings = new Interner()
  strings.intern('a')
  strings[Symbol.dispose]()
  assert.equal(strings.size, 0)
})
