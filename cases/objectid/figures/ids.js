// Bytes and nanoseconds of an id, with the benches of the remedies.
//
//   node --expose-gc figures/ids.js memory|speed

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { measureMemory, bytesEach } = require('../../../remedies/node/bench/object-id-memory.js')
const { measureSpeed } = require('../../../remedies/node/bench/object-id-speed.js')

const KEPT = 100_000

if (process.argv[2] === 'memory') {
  console.log(JSON.stringify({ ids: memoryOfIds(), buffer: memoryOfBuffers(), pinned: memoryOfPinned() }))
} else {
  const bsons = {
    bson: require.resolve('bson'),
    bson731: require.resolve('bson-7.3.1'),
    bson734: require.resolve('bson-next')
  }
  const speeds = measureSpeed(bsons, { rounds: 51 })
  console.log(JSON.stringify(named(speeds)))
}

/** Bytes an id, by what it is kept as; those made from hex. */
function memoryOfIds() {
  const rows = measureMemory({
    bson6: require.resolve('bson'),
    bson731: require.resolve('bson-7.3.1'),
    bson734: require.resolve('bson-next')
  })
  const made = Object.entries(rows).filter(([name]) => name.endsWith(', hex'))
  const ids = Object.fromEntries(made.map(([name, bytes]) => [name.replace(', hex', '').replace(/pooled, poolSize /, 'pool'), bytes]))
  for (const bytes of Object.values(ids)) {
    bytes.thousand = Math.round(1000 * bytes.both)
    bytes.saved = 1 - bytes.both / ids.bson6.both
  }
  ids.bson734.savedOf731 = 1 - ids.bson734.both / ids.bson731.both
  return ids
}

/** A Buffer of 12 bytes alone. */
function memoryOfBuffers() {
  return bytesEach(new Array(KEPT).fill(null), () => Buffer.allocUnsafe(12))
}

/** One id kept of every 1,000 that are made, and of every document of 2 kB that is read: what it holds. */
function memoryOfPinned() {
  const { PooledObjectId } = require('@deadweight/remedies')
  const bson = require('bson')
  const next = require('bson-next')
  const oneOfThousand = Id => bytesEach(new Array(500).fill(null), () => {
    const [kept] = Array.from({ length: 1000 }, () => new Id())
    return kept
  })
  const oneOfDocument = ({ deserialize, serialize, ObjectId }) => {
    const bytes = new Uint8Array(serialize({ _id: new ObjectId(), text: 'x'.repeat(2000), other: new ObjectId() }))
    return bytesEach(new Array(2000).fill(null), () => {
      // Of 300 documents the id of one is kept, so that the ids kept are in pools of their own.
      let kept
      for (let i = 0; i < 300; i++) kept = deserialize(bytes)._id
      return kept
    })
  }
  const pool = oneOfThousand(PooledObjectId)
  PooledObjectId.poolSize = 1
  return { pool, alone: oneOfThousand(PooledObjectId), read6: oneOfDocument(bson), read734: oneOfDocument(next) }
}

/** Names of operations that a pointer can name, and how each class compares with bson 6. */
function named(speeds) {
  const rows = {}
  for (const [operation, row] of Object.entries(speeds)) {
    rows[operation.replace(/[ ,]+(.)/g, (_, letter) => letter.toUpperCase())] = row
  }
  return rows
}
