'use strict'

// Memory of ids that are held: bytes for each, heapUsed and external.
//
//   node --expose-gc bench/object-id-memory.js

const bson = require('bson')
const bsonNext = require('bson-next')
const { PackedObjectId, PooledObjectId } = require('..')

const COUNT = 300_000

const variants = {
  'bson 6': { Id: bson.ObjectId },
  'bson 7.3.4': { Id: bsonNext.ObjectId },
  'pooled, poolSize 1': { Id: PooledObjectId, poolSize: 1 },
  'pooled, poolSize 100': { Id: PooledObjectId, poolSize: 100 },
  'pooled, poolSize 1000': { Id: PooledObjectId, poolSize: 1000 },
  packed: { Id: PackedObjectId }
}
const inputs = {
  hex: i => i.toString(16).padStart(24, '0'),
  generated: () => undefined
}

function memory() {
  for (let i = 0; i < 4; i++) globalThis.gc()
  return process.memoryUsage()
}

console.log(`Node.js ${process.version}, ${COUNT} ids, bytes for each without the slot that refers to it`)
const kept = new Array(COUNT).fill(null)
const rows = {}
for (const [name, { Id, poolSize = 1000 }] of Object.entries(variants)) {
  PooledObjectId.poolSize = poolSize
  for (const [input, valueAt] of Object.entries(inputs)) {
    // Instances get their final size only once some have been made.
    for (let i = 0; i < 100; i++) kept[i] = new Id(valueAt(i))
    kept.fill(null)
    const before = memory()
    for (let i = 0; i < COUNT; i++) kept[i] = new Id(valueAt(i))
    const after = memory()
    const heap = (after.heapUsed - before.heapUsed) / COUNT
    const external = (after.external - before.external) / COUNT
    rows[`${name}, ${input}`] = {
      heapUsed: Number(heap.toFixed(1)),
      external: Number(external.toFixed(1)),
      both: Number((heap + external).toFixed(1))
    }
  }
}
console.table(rows)
