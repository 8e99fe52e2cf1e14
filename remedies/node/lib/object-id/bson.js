'use strict'

// What ties the ids to a bson package, without depending on it: the major version its
// serializer insists on, and the class of its errors.

const BSON_VERSION = Symbol.for('@@mdb.bson.version')
const BSON_TYPE = Symbol.for('@@mdb.bson.type')
const DEFAULT_MAJOR = 6

/** Used until `useBson` names bson's own class; known by the same name. */
class BSONError extends Error {
  get name() {
    return 'BSONError'
  }
}

let ErrorClass = BSONError
let major = DEFAULT_MAJOR

/**
 * Makes ids serialise with this bson package and throw its errors, in the whole process.
 *
 * @param {{ ObjectId: Function, BSONError?: Function }} bson
 */
function useBson(bson) {
  const version = bson?.ObjectId?.prototype?.[BSON_VERSION]
  if (!Number.isSafeInteger(version)) throw new TypeError('useBson needs the exports of a bson package, version 5 or later')
  major = version
  ErrorClass = bson.BSONError ?? BSONError
}

/** @param {string} message */
function bsonError(message) {
  return new ErrorClass(message)
}

function bsonMajor() {
  return major
}

module.exports = { BSON_VERSION, BSON_TYPE, useBson, bsonMajor, bsonError }
