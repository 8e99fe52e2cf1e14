'use strict'

// What both ids share and what no program does a million times a second. The classes
// themselves have what is done often, each for its own storage.

const { inspect } = require('node:util')
const { BSON_TYPE, BSON_VERSION, bsonMajor } = require('./bson.js')

class ObjectIdBehaviour {
  /** The id's bytes under the name by which bson 5 and 6 compare theirs with others. */
  get buffer() {
    return this.id
  }

  get [BSON_VERSION]() {
    return bsonMajor()
  }

  toString(encoding) {
    if (encoding === 'base64') return Buffer.from(this.id).toString('base64')
    return this.toHexString()
  }

  toJSON() {
    return this.toHexString()
  }

  toExtendedJSON() {
    return { $oid: this.toHexString() }
  }

  inspect(depth, options, inspectText) {
    const text = this.toHexString()
    return `new ObjectId(${inspectText ? inspectText(text, options) : JSON.stringify(text)})`
  }

  [inspect.custom](depth, options, inspectText) {
    return this.inspect(depth, options, inspectText)
  }
}

// Not among the fields: an id's own fields are what deep equality compares.
Object.defineProperty(ObjectIdBehaviour.prototype, '_bsontype', { value: 'ObjectId' })
Object.defineProperty(ObjectIdBehaviour.prototype, BSON_TYPE, { value: 'ObjectId' })

module.exports = { ObjectIdBehaviour }
