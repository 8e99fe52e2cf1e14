'use strict'

// Memory of ids that are held: bytes for each, heapUsed and external.
//
//   node --expose-gc bench/object-id-memory.js

const { freshCopy } = require('./fresh-copy.js')

const COUNT = 300_000
const MAIN = require.resolve('..')

const INPUTS = {
  hex: i => i.toString(16).padStart(24, '0'),
  generated: () => undefined
}

/** The remedies with a pool size of their own. */
function pooled(poolSize) {
  const { PooledObjectId } = freshCopy(MAIN)
  PooledObjectId.poolSize = poolSize
  return PooledObjectId
}

/**
 * @param {Record<string, string>} bsons paths of bson packages, by the name of their row
 * @returns {Record<string, { heapUsed: number, external: number, both: number }>} bytes an id, by class and what it is made from
 */
function measureMemory(bsons) {
  const classes = Object.fromEntries(Object.entries(bsons).map(([name, path]) => [name, freshCopy(path).ObjectId]))
  for (const poolSize of [1, 100, 1000]) classes[`pooled, poolSize ${poolSize}`] = pooled(poolSize)
  classes.packed = freshCopy(MAIN).PackedObjectId
  const kept = new Array(COUNT).fill(null)
  const rows = {}
  for (const [name, Id] of Object.entries(classes)) {
    for (const [input, valueAt] of Object.entries(INPUTS)) {
      // Instances get their final size only once some have been made.
      for (let i = 0; i < 100; i++) kept[i] = new Id(valueAt(i))
      rows[`${name}, ${input}`] = bytesEach(kept, i => new Id(valueAt(i)))
    }
  }
  return rows
}

/** Bytes of what `make` makes, without the slot that refers to it. `kept` is filled with it, and emptied. */
function bytesEach(kept, make) {
  kept.fill(null)
  const before = memory()
  for (let i = 0; i < kept.length; i++) kept[i] = make(i)
  const after = memory()
  kept.fill(null)
  const heap = (after.heapUsed - before.heapUsed) / kept.length
  const external = (after.external - before.external) / kept.length
  const rounded = value => Number(value.toFixed(1))
  return { heapUsed: rounded(heap), external: rounded(external), both: rounded(heap + external) }
}

function memory() {
  for (let i = 0; i < 4; i++) globalThis.gc()
  return process.memoryUsage()
}

if (require.main === module) {
  const bsons = { 'bson 6.10.4': require.resolve('bson'), 'bson 7.3.4': require.resolve('bson-next') }
  console.log(`Node.js ${process.version}, ${COUNT} ids, bytes for each without the slot that refers to it`)
  console.table(measureMemory(bsons))
}

module.exports = { measureMemory, bytesEach }
