'use strict'

const { PooledObjectId } = require('..')

/** True if an id shares an array, false if it has a buffer of its own. */
function isPooled(id) {
  return Object.getOwnPropertyDescriptor(id, 'buffer').get !== undefined
}

/** Makes the next id the first of a new pool of this size: a size takes effect when the current pool is full. */
function usePoolSize(size) {
  let id
  do id = new PooledObjectId()
  while (isPooled(id) && id.id.byteOffset + 12 < id.id.buffer.byteLength)
  PooledObjectId.poolSize = size
}

module.exports = { isPooled, usePoolSize }
