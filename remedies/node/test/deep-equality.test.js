'use strict'

// Equal ids must be equal, and others not, to whatever compares objects field by field,
// wherever their bytes are.

const assert = require('node:assert')
const { describe, test } = require('node:test')
const { isDeepStrictEqual } = require('node:util')
const { equals } = require('@jest/expect-utils')
const chai = require('chai')
const lodash = require('lodash')
const { PackedObjectId, PooledObjectId } = require('..')
const { randomTexts } = require('./ids.js')
const { usePoolSize } = require('./pools.js')

const COMPARISONS = {
  'assert.deepStrictEqual': holds((a, b) => assert.deepStrictEqual(a, b)),
  'assert.deepEqual': holds((a, b) => assert.deepEqual(a, b)),
  'util.isDeepStrictEqual': isDeepStrictEqual,
  'chai deep.equal': holds((a, b) => chai.expect(a).to.deep.equal(b)),
  'lodash isEqual': lodash.isEqual,
  'jest toEqual': (a, b) => equals(a, b),
  'jest toStrictEqual': (a, b) => equals(a, b, [], true)
}

const MAKERS = {
  packed: text => new PackedObjectId(text),
  'pooled, of two pools': (text, isTwin) => {
    if (isTwin) usePoolSize(1000)
    return new PooledObjectId(text)
  },
  'pooled, of one pool': text => new PooledObjectId(text),
  'pooled, and with a pool size of 1': (text, isTwin) => {
    usePoolSize(isTwin ? 1 : 1000)
    return new PooledObjectId(text)
  },
  'with a pool size of 1': text => {
    usePoolSize(1)
    return new PooledObjectId(text)
  }
}

for (const [kind, make] of Object.entries(MAKERS)) {
  describe(kind, () => {
    const texts = randomTexts(30)
    const ids = texts.map(text => make(text, false))
    const twins = texts.map(text => make(text, true))
    for (const [name, isEqual] of Object.entries(COMPARISONS)) {
      test(name, () => {
        for (const [i, id] of ids.entries()) {
          assert.ok(isEqual({ _id: id }, { _id: twins[i] }))
          for (const [j, twin] of twins.entries()) assert.equal(isEqual([id], [twin]), i === j)
        }
      })
    }

    test('lodash cloneDeep', () => {
      for (const id of ids) {
        const { _id: copy } = lodash.cloneDeep({ _id: id })
        assert.ok(copy !== id && copy.constructor === id.constructor && copy.equals(id))
        for (const [name, isEqual] of Object.entries(COMPARISONS)) assert.ok(isEqual(id, copy), name)
      }
    })
  })
}

/** True if an assertion passes. */
function holds(assertion) {
  return (a, b) => {
    try {
      assertion(a, b)
      return true
    } catch (error) {
      assert.match(error.constructor.name, /^AssertionError/)
      return false
    }
  }
}
