'use strict'

// Documents that bson has read hold bson's own ids. This puts compact ones in their
// place, before the documents are kept.

const { PackedObjectId } = require('./packed.js')

/**
 * Replaces the ids of a document, in place, at any depth: in objects, arrays and maps,
 * and those that references (DBRef) and the scopes of code hold. Nothing else is touched.
 *
 * @template T
 * @param {T} value a document, a list of them, or an id
 * @param {new (id: object) => object} [Id] what ids become; PackedObjectId if not given
 * @returns {T} the same document, or the new id of an id
 */
function compactIds(value, Id = PackedObjectId) {
  if (typeof value !== 'object' || value === null) return value
  switch (bsonTypeOf(value)) {
    case undefined:
      break
    case 'ObjectId':
      return value instanceof Id ? value : new Id(value)
    case 'DBRef':
      value.oid = compactIds(value.oid, Id)
      compactFields(value.fields, Id)
      return value
    case 'Code':
      compactFields(value.scope, Id)
      return value
    default:
      return value
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) replace(value, i, Id)
  } else if (value instanceof Map) {
    for (const [key, held] of value) value.set(key, compactIds(held, Id))
  } else {
    compactFields(value, Id)
  }
  return value
}

/** The name of a bson class. A document that was read may have a field of that name, which says nothing. */
function bsonTypeOf(value) {
  return Object.hasOwn(value, '_bsontype') ? undefined : value._bsontype
}

function compactFields(fields, Id) {
  if (typeof fields !== 'object' || fields === null) return
  const prototype = Object.getPrototypeOf(fields)
  // Dates, buffers and whatever has a class of its own hold no ids of a document.
  if (prototype !== Object.prototype && prototype !== null) return
  for (const name of Object.keys(fields)) replace(fields, name, Id)
}

/** Writes only what has changed: most fields hold no id. */
function replace(holder, key, Id) {
  const held = holder[key]
  if (typeof held !== 'object' || held === null) return
  const compact = compactIds(held, Id)
  if (compact !== held) holder[key] = compact
}

module.exports = { compactIds }
