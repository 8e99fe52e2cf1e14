'use strict'

// The functions of the classes themselves. They know their class without `this`, so
// that they can be handed over: `texts.map(PackedObjectId.createFromHexString)`.

const { ID_BYTES, writeWord } = require('./bytes.js')
const { bsonError } = require('./bson.js')
const { cache } = require('./hex-cache.js')
const { generateWords } = require('./generate.js')
const { isReadable, scratch } = require('./input.js')

const HEX_LENGTH = 24
const BASE64_LENGTH = 16

/** @param {new (input?: unknown) => object} Id */
function defineStatics(Id) {
  const statics = {
    createFromHexString(text) {
      if (typeof text !== 'string' || text.length !== HEX_LENGTH) throw bsonError(`expected ${HEX_LENGTH} hex digits`)
      return new Id(text)
    },

    createFromBase64(text) {
      if (typeof text !== 'string' || text.length !== BASE64_LENGTH) {
        throw bsonError(`expected ${BASE64_LENGTH} characters of base64`)
      }
      return new Id(Buffer.from(text, 'base64'))
    },

    /** The smallest id of a second, to compare others with. */
    createFromTime(seconds) {
      const bytes = Buffer.alloc(ID_BYTES)
      writeWord(bytes, 0, seconds)
      return new Id(bytes)
    },

    /** For a driver's `pkFactory`. */
    createPk() {
      return new Id()
    },

    fromExtendedJSON(document) {
      return new Id(document.$oid)
    },

    generate,
    isValid: isReadable
  }
  for (const [name, value] of Object.entries(statics)) {
    Object.defineProperty(Id, name, { value, writable: true, configurable: true })
  }
  Object.defineProperty(Id, 'cacheHexString', {
    get: () => cache.isOn,
    set: isOn => (cache.isOn = Boolean(isOn)),
    configurable: true
  })
}

/** The bytes of a new id. */
function generate(seconds) {
  generateWords(scratch, seconds)
  const bytes = Buffer.allocUnsafe(ID_BYTES)
  for (let word = 0; word < 3; word++) writeWord(bytes, word * 4, scratch[word])
  return bytes
}

module.exports = { defineStatics }
