'use strict'

// Where pooled ids are put: one array for many, so that its headers are paid once.
// An id is three words of it: they are read and written at once, where bytes are not.

const { ID_BYTES } = require('./bytes.js')

const ID_WORDS = 3
const DEFAULT_POOL_SIZE = 1000
// 12 MB. A pool lives as long as any id in it.
const MAX_POOL_SIZE = 2 ** 20

let poolSize = DEFAULT_POOL_SIZE
/** @type {Int32Array | null} made with the first id that needs it */
let pool = null
let nextOffset = 0

function getPoolSize() {
  return poolSize
}

/** @param {number} size how many ids share an array; with 1, each has its own */
function setPoolSize(size) {
  if (!Number.isInteger(size) || size < 1 || size > MAX_POOL_SIZE) {
    throw new RangeError(`poolSize must be a whole number from 1 to ${MAX_POOL_SIZE}, not ${String(size)}`)
  }
  poolSize = size
  pool = null
}

/** The array the next id goes to. */
function currentPool() {
  if (pool === null) {
    pool = poolSize === 1 ? makeSingle() : new Int32Array(poolSize * ID_WORDS)
    nextOffset = 0
  }
  return pool
}

/** Takes the next three words of the current pool: their offset. */
function takeSlot() {
  const offset = nextOffset
  nextOffset += ID_WORDS
  // A full pool belongs to its ids alone, and goes with the last of them.
  if (nextOffset === pool.length) pool = null
  return offset
}

/** For an id alone: a part of Node's own pool of small buffers costs less than an array with a buffer of its own. */
function makeSingle() {
  const { buffer, byteOffset } = Buffer.allocUnsafe(ID_BYTES)
  return new Int32Array(buffer, byteOffset, ID_WORDS)
}

module.exports = { currentPool, takeSlot, getPoolSize, setPoolSize, MAX_POOL_SIZE }
