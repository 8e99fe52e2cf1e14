'use strict'

// What ties the ids to a bson package, without depending on it: the major version its
// serializer insists on and whose rules ids follow, the class of its errors, and the
// prototype that makes ids instances of its ObjectId.

const BSON_VERSION = Symbol.for('@@mdb.bson.version')
const BSON_TYPE = Symbol.for('@@mdb.bson.type')
const DEFAULT_MAJOR = 6
const ID_BYTES = 12

/** Used until `useBson` names bson's own class; known by the same name. */
class BSONError extends Error {
  get name() {
    return 'BSONError'
  }
}

let ErrorClass = BSONError
let major = DEFAULT_MAJOR

/** The prototypes of ids that become instances of bson's ObjectId. */
const linkedPrototypes = []

/**
 * Makes ids behave as those of this bson package, in the whole process: they serialise
 * with it, throw its errors, and are instances of its ObjectId.
 *
 * @param {{ ObjectId: Function, BSONError?: Function }} bson
 */
function useBson(bson) {
  const version = bson?.ObjectId?.prototype?.[BSON_VERSION]
  if (!Number.isSafeInteger(version)) {
    throw new TypeError('useBson needs the exports of a bson package, version 5 or later')
  }
  major = version
  ErrorClass = bson.BSONError ?? BSONError
  for (const prototype of linkedPrototypes) link(prototype, bson.ObjectId)
}

/** Makes objects of this prototype instances of bson's ObjectId, once `useBson` names it. */
function linkToBson(prototype) {
  linkedPrototypes.push(prototype)
}

function link(prototype, ObjectId) {
  Object.setPrototypeOf(prototype, ObjectId.prototype)
  // bson 5 compares instances by a symbol of its own, which holds the bytes.
  const theirs = new ObjectId()
  for (const symbol of Object.getOwnPropertySymbols(theirs)) {
    if (theirs[symbol]?.byteLength !== ID_BYTES || Object.hasOwn(prototype, symbol)) continue
    Object.defineProperty(prototype, symbol, {
      get() {
        return this.id
      }
    })
  }
}

/** @param {string} message */
function bsonError(message) {
  return new ErrorClass(message)
}

function bsonMajor() {
  return major
}

module.exports = { BSON_VERSION, BSON_TYPE, useBson, linkToBson, bsonMajor, bsonError }
