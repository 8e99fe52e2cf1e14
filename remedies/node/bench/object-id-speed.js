'use strict'

// Speed of the ids against bson's own: nanoseconds for an operation.
//
//   node --expose-gc bench/object-id-speed.js [part of an operation's name]

const { freshCopy } = require('./fresh-copy.js')
const { measureInTurns } = require('./rounds.js')

const COUNT = 20_000
const ROUNDS = 101
const MAIN = require.resolve('..')

// Rounds are short, so that most of them run undisturbed even on a busy machine.

// Each operation has a function of its own text for each class: functions of one text
// share what V8 has learned from any of them. `kept` holds the results, so that none can be left out.
const OPERATIONS = {
  'create from hex': 'kept[i] = new Id(texts[i])',
  'create from Buffer': 'kept[i] = new Id(buffers[i])',
  'create from Uint8Array': 'kept[i] = new Id(arrays[i])',
  'create from id': 'kept[i] = new Id(ids[i])',
  generate: 'kept[i] = new Id()',
  'equals, same': 'kept[i] = ids[i].equals(twins[i])',
  'equals, other': 'kept[i] = ids[i].equals(ids[(i + 1) % ids.length])',
  'equals, text': 'kept[i] = ids[i].equals(texts[i])',
  toHexString: 'kept[i] = ids[i].toHexString()',
  getTimestamp: 'kept[i] = ids[i].getTimestamp()',
  serialize: 'kept[i] = bson.serializeWithBufferAndIndex(documents[i], target)',
  'serialize, new buffer': 'kept[i] = bson.serialize(documents[i])',
  'read a document': 'kept[i] = read(bson.deserialize(serialized[i]))'
}

/**
 * The classes to compare, each with a copy of its own of whatever it runs through.
 *
 * @param {Record<string, string>} bsons paths of bson packages; `bson` is the one the remedies are used with
 */
function loadClasses(bsons) {
  const classes = {}
  for (const [name, path] of Object.entries(bsons)) {
    const bson = freshCopy(path)
    classes[name] = { Id: bson.ObjectId, bson, read: document => document }
  }
  for (const [name, className, poolSize] of [
    ['pooled', 'PooledObjectId', 1000],
    ['poolSize1', 'PooledObjectId', 1],
    ['packed', 'PackedObjectId', 1000]
  ]) {
    const bson = freshCopy(bsons.bson)
    const remedies = freshCopy(MAIN)
    const Id = remedies[className]
    remedies.useBson(bson)
    remedies.PooledObjectId.poolSize = poolSize
    classes[name] = { Id, bson, read: document => remedies.compactIds(document, Id) }
  }
  return classes
}

/**
 * @param {Record<string, string>} bsons paths of bson packages, see `loadClasses`
 * @param {{ wanted?: string, rounds?: number }} [options] part of an operation's name
 * @returns {Record<string, Record<string, number>>} nanoseconds, by operation and class
 */
function measureSpeed(bsons, { wanted = '', rounds = ROUNDS } = {}) {
  const classes = loadClasses(bsons)
  const rows = {}
  for (const [name, code] of Object.entries(OPERATIONS)) {
    if (!name.includes(wanted)) continue
    const functions = Object.fromEntries(Object.entries(classes).map(([key, used]) => [key, prepare(code, key, used)]))
    const medians = measureInTurns(functions, COUNT, rounds)
    rows[name] = Object.fromEntries(Object.entries(medians).map(([key, ns]) => [key, Number(ns.toFixed(1))]))
  }
  return rows
}

function prepare(code, key, { Id, bson, read }) {
  const texts = Array.from({ length: COUNT }, () => new Id().toHexString())
  const buffers = texts.map(text => Buffer.from(text, 'hex'))
  const arrays = buffers.map(buffer => new Uint8Array(buffer))
  const ids = texts.map(text => new Id(text))
  const twins = texts.map(text => new Id(text))
  const documents = ids.map((id, i) => ({ _id: id, number: i }))
  const serialized = documents.map(document => bson.serialize(document))
  const kept = new Array(COUNT).fill(null)
  const target = Buffer.alloc(100)
  const names = { Id, bson, read, texts, buffers, arrays, ids, twins, documents, serialized, kept, target }
  const run = new Function(...Object.keys(names), `for (let i = 0; i < ids.length; i++) { ${code} } // ${key}`)
  return () => run(...Object.values(names))
}

if (require.main === module) {
  const bsons = { bson: require.resolve('bson'), 'bson 7.3.4': require.resolve('bson-next') }
  console.log(`Node.js ${process.version}, ns an operation, median of ${ROUNDS} rounds`)
  console.table(measureSpeed(bsons, { wanted: process.argv[2] }))
}

module.exports = { measureSpeed }
