'use strict'

const assert = require('node:assert/strict')
const { beforeEach, test } = require('node:test')
const bson = require('bson')
const lodash = require('lodash')
const { PooledObjectId } = require('..')
const { MAX_POOL_SIZE } = require('../lib/object-id/pool.js')
const { isPooled, usePoolSize } = require('./pools.js')
const { collectGarbage } = require('./collect-garbage.js')

const DEFAULT = PooledObjectId.poolSize
const TEXT = '0123456789abcdef01234567'

beforeEach(() => usePoolSize(DEFAULT))

test('ids share a pool until it is full', () => {
  usePoolSize(3)
  const ids = Array.from({ length: 7 }, (_, i) => new PooledObjectId(String(i).repeat(24)))
  const pools = ids.map(id => id.id.buffer)
  assert.equal(new Set(pools).size, 3)
  assert.equal(pools[0], pools[2])
  assert.notEqual(pools[2], pools[3])
  ids.forEach((id, i) => assert.equal(id.toHexString(), String(i).repeat(24)))
})

test('a new size takes effect when the current pool is full, and no id moves', () => {
  usePoolSize(4)
  const first = new PooledObjectId(TEXT)
  PooledObjectId.poolSize = 2
  assert.equal(PooledObjectId.poolSize, 2)
  const ids = Array.from({ length: 5 }, () => new PooledObjectId())
  const sizes = ids.map(id => id.id.buffer.byteLength / 12)
  assert.deepEqual(sizes, [4, 4, 4, 2, 2])
  assert.equal(first.toHexString(), TEXT)
})

test('a pool is made when it is needed', () => {
  const { arrayBuffers } = process.memoryUsage()
  usePoolSize(MAX_POOL_SIZE)
  assert.ok(process.memoryUsage().arrayBuffers - arrayBuffers < MAX_POOL_SIZE)
  usePoolSize(DEFAULT)
})

test('with a pool size of 1, an id is what it is in bson 6: an object with a buffer', () => {
  usePoolSize(1)
  const bytes = Buffer.from(TEXT, 'hex')
  const id = new PooledObjectId(bytes)
  assert.ok(!isPooled(id) && id instanceof PooledObjectId && id.constructor === PooledObjectId)
  assert.equal(id.id, bytes)
  assert.equal(id.id, new bson.ObjectId(bytes).id)
  assert.deepEqual(Reflect.ownKeys(id), Reflect.ownKeys(new bson.ObjectId(bytes)))
  for (const other of [TEXT, id, new Uint8Array(bytes), new bson.ObjectId(TEXT), undefined]) {
    const made = new PooledObjectId(other)
    assert.ok(!isPooled(made) && Buffer.isBuffer(made.id) && made.id !== bytes)
    if (other !== undefined) assert.ok(made.equals(id) && id.equals(made))
  }
  const replacement = Buffer.alloc(12, 7)
  id.id = replacement
  assert.equal(id.id, replacement)
  assert.equal(id.toHexString(), '07'.repeat(12))
})

test('with a pool size of 1, other views of bytes are kept too, as a Buffer', () => {
  usePoolSize(1)
  for (const View of [Uint8Array, Int8Array, Uint16Array, DataView]) {
    const memory = new ArrayBuffer(20)
    const view = new View(memory, 4, 12 / (View.BYTES_PER_ELEMENT ?? 1))
    const id = new PooledObjectId(view)
    new Uint8Array(memory)[4] = 0xab
    assert.equal(id.toHexString(), 'ab' + '00'.repeat(11))
    assert.equal(new bson.ObjectId(view).toHexString(), id.toHexString())
    assert.ok(Buffer.isBuffer(id.id))
  }
})

test('with a pool size of 1, a pool that was begun is filled, but given bytes are kept at once', () => {
  usePoolSize(3)
  new PooledObjectId()
  PooledObjectId.poolSize = 1
  assert.ok(!isPooled(new PooledObjectId(Buffer.alloc(12))))
  assert.ok(isPooled(new PooledObjectId(TEXT)))
  assert.ok(isPooled(new PooledObjectId()))
  assert.ok(!isPooled(new PooledObjectId(TEXT)))
})

test('with a pool size of 1, an id of a subclass is one of it', () => {
  usePoolSize(1)
  class OrderId extends PooledObjectId {}
  const id = new OrderId(TEXT)
  assert.ok(id instanceof OrderId && isPooled(id))
  assert.equal(id.id.buffer.byteLength, 12)
  assert.ok(id.equals(new PooledObjectId(TEXT)) && new PooledObjectId(TEXT).equals(id))
})

test('the bytes can be written to, as with bson up to 7.3.1', () => {
  for (const size of [1, DEFAULT]) {
    usePoolSize(size)
    const ids = ['aa', 'bb', 'cc'].map(pair => new PooledObjectId(pair.repeat(12)))
    ids[1].id[0] = 1
    ids[1].id.writeUInt8(2, 11)
    assert.deepEqual(ids.map(String), ['aa'.repeat(12), '01' + 'bb'.repeat(10) + '02', 'cc'.repeat(12)])
  }
})

test('what others see of an id are its bytes, and these cannot be changed there', () => {
  const id = new PooledObjectId(TEXT)
  assert.deepEqual(Reflect.ownKeys(id), ['buffer'])
  const { buffer } = id
  assert.equal(buffer.toString('hex'), TEXT)
  assert.equal(buffer.buffer.byteLength, 12)
  buffer[0] = 0xff
  assert.equal(id.toHexString(), TEXT)
  assert.throws(() => (id.buffer = buffer), TypeError)
})

test('a deep copy is an id of its own, without the pool', () => {
  const id = new PooledObjectId(TEXT)
  const { _id: copy } = lodash.cloneDeep({ _id: id })
  assert.ok(copy instanceof PooledObjectId && !isPooled(copy))
  assert.ok(copy.equals(id) && id.equals(copy))
  assert.equal(new bson.ObjectId(copy).toHexString(), TEXT)
  copy.id = Buffer.alloc(12)
  assert.equal(id.toHexString(), TEXT)
})

test('one living id keeps its pool, and the pool goes with the last', async () => {
  usePoolSize(100_000)
  const settle = async () => {
    for (let i = 0; i < 4; i++) {
      collectGarbage()
      await new Promise(resolve => setImmediate(resolve))
    }
    return process.memoryUsage().arrayBuffers
  }
  const before = await settle()
  let kept = new PooledObjectId()
  usePoolSize(1)
  assert.ok((await settle()) - before > 1_100_000)
  assert.equal(kept.toHexString().length, 24)
  kept = null
  assert.ok((await settle()) - before < 200_000)
})

test('what is no size is refused', () => {
  for (const size of [0, -1, 1.5, NaN, Infinity, MAX_POOL_SIZE + 1, '10', null, undefined, 5n]) {
    assert.throws(() => (PooledObjectId.poolSize = size), RangeError)
  }
  assert.equal(PooledObjectId.poolSize, DEFAULT)
})

test('a refused input takes no slot', () => {
  const first = new PooledObjectId()
  assert.throws(() => new PooledObjectId('no id'))
  assert.throws(() => new PooledObjectId({}))
  assert.equal(new PooledObjectId().id.byteOffset, first.id.byteOffset + 12)
})
