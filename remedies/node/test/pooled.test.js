'use strict'

const assert = require('node:assert/strict')
const { afterEach, test } = require('node:test')
const { PooledObjectId } = require('..')
const { MAX_POOL_SIZE } = require('../lib/object-id/pool.js')

const DEFAULT = PooledObjectId.poolSize
afterEach(() => (PooledObjectId.poolSize = DEFAULT))

test('ids share a pool until it is full', () => {
  PooledObjectId.poolSize = 3
  const ids = Array.from({ length: 7 }, (_, i) => new PooledObjectId(String(i).repeat(24)))
  assert.equal(new Set(ids.map(id => id.pool)).size, 3)
  assert.equal(ids[0].pool, ids[2].pool)
  assert.notEqual(ids[2].pool, ids[3].pool)
  ids.forEach((id, i) => assert.equal(id.toHexString(), String(i).repeat(24)))
})

test('with a pool size of 1, each id has its own bytes', () => {
  PooledObjectId.poolSize = 1
  const [a, b, c] = ['aa', 'bb', 'aa'].map(pair => new PooledObjectId(pair.repeat(12)))
  assert.equal(a.pool.length, 3)
  assert.notEqual(a.pool, b.pool)
  assert.deepStrictEqual(a, c)
  assert.notDeepStrictEqual(a, b)
  assert.ok(a.equals(c) && !a.equals(b))
})

test('a pool is made when it is needed, and no id moves when the size changes', () => {
  PooledObjectId.poolSize = MAX_POOL_SIZE
  const { arrayBuffers } = process.memoryUsage()
  PooledObjectId.poolSize = MAX_POOL_SIZE
  assert.ok(process.memoryUsage().arrayBuffers - arrayBuffers < MAX_POOL_SIZE)
  PooledObjectId.poolSize = 10
  const id = new PooledObjectId('ab'.repeat(12))
  PooledObjectId.poolSize = 20
  assert.notEqual(new PooledObjectId().pool, id.pool)
  assert.equal(id.toHexString(), 'ab'.repeat(12))
})

test('what is no size is refused', () => {
  for (const size of [0, -1, 1.5, NaN, Infinity, MAX_POOL_SIZE + 1, '10', null, undefined, 5n]) {
    assert.throws(() => (PooledObjectId.poolSize = size), RangeError)
  }
  assert.equal(PooledObjectId.poolSize, DEFAULT)
})

test('a refused input takes no slot', () => {
  PooledObjectId.poolSize = 10
  const first = new PooledObjectId()
  assert.throws(() => new PooledObjectId('no id'))
  assert.throws(() => new PooledObjectId({}))
  assert.equal(new PooledObjectId().offset, first.offset + 3)
})
