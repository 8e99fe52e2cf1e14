'use strict'

const { randomBytes } = require('node:crypto')
const { PackedObjectId, PooledObjectId } = require('..')

/** The classes under test, by name. */
const CLASSES = { PackedObjectId, PooledObjectId }

/** Texts of ids: all bits random, and the corners where signs and zeros could go wrong. */
function randomTexts(count) {
  const corners = [
    '000000000000000000000000',
    'ffffffffffffffffffffffff',
    '7fffffff7fffffff7fffffff',
    '800000008000000080000000',
    '000000010000000100000001',
    '0123456789abcdef01234567'
  ]
  return [...corners, ...Array.from({ length: count }, () => randomBytes(12).toString('hex'))]
}

module.exports = { CLASSES, randomTexts }
