'use strict'

// What both ids share and what no program does a million times a second. The classes
// themselves have what is done often, each for its own storage.

const { inspect } = require('node:util')
const { BSON_TYPE, BSON_VERSION, bsonMajor, linkToBson } = require('./bson.js')

class ObjectIdBehaviour {
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
    // bson 5 always quotes with ", and colours nothing.
    if (bsonMajor() < 6 || !inspectText) return `new ObjectId(${JSON.stringify(text)})`
    return `new ObjectId(${inspectText(text, options)})`
  }

  [inspect.custom](depth, options, inspectText) {
    return this.inspect(depth, options, inspectText)
  }
}

// Not among the fields: an id's own fields are what deep equality compares.
Object.defineProperty(ObjectIdBehaviour.prototype, '_bsontype', { value: 'ObjectId' })
Object.defineProperty(ObjectIdBehaviour.prototype, BSON_TYPE, { value: 'ObjectId' })
linkToBson(ObjectIdBehaviour.prototype)

module.exports = { ObjectIdBehaviour }
