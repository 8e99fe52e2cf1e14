'use strict'

// Where pooled ids are put: one array for many, so that its headers are paid once.

const { ID_BYTES } = require('./bytes.js')

const DEFAULT_POOL_SIZE = 1000
// 12 MB. A pool lives as long as any id in it.
const MAX_POOL_SIZE = 2 ** 20

let poolSize = DEFAULT_POOL_SIZE
/** @type {Buffer | null} made with the first id that needs it */
let pool = null
let nextOffset = 0

function getPoolSize() {
  return poolSize
}

/** @param {number} size how many ids share an array, from the next pool on; with 1, each has its own */
function setPoolSize(size) {
  if (!Number.isInteger(size) || size < 1 || size > MAX_POOL_SIZE) {
    throw new RangeError(`poolSize must be a whole number from 1 to ${MAX_POOL_SIZE}, not ${String(size)}`)
  }
  poolSize = size
}

/** True if ids are not pooled. A pool that was begun is filled first. */
function standsAlone() {
  return poolSize === 1 && pool === null
}

/** The array the next id goes to. */
function currentPool() {
  if (pool === null) {
    pool = Buffer.allocUnsafeSlow(poolSize * ID_BYTES)
    nextOffset = 0
  }
  return pool
}

/** Takes the next bytes of the current pool: their offset. */
function takeSlot() {
  const offset = nextOffset
  nextOffset += ID_BYTES
  // A full pool belongs to its ids alone, and goes with the last of them.
  if (nextOffset === pool.length) pool = null
  return offset
}

module.exports = { currentPool, takeSlot, standsAlone, getPoolSize, setPoolSize, MAX_POOL_SIZE }
