'use strict'

// Speed of the ids against bson's own: nanoseconds for an operation.
//
//   node --expose-gc bench/object-id-speed.js [part of an operation's name]

const bson = require('bson')
const { PackedObjectId, PooledObjectId } = require('..')
const { measureInTurns } = require('./rounds.js')

const COUNT = 20_000
const REPEATS = 1
const ROUNDS = 101

const texts = Array.from({ length: COUNT }, () => new bson.ObjectId().toHexString())
const buffers = texts.map(text => Buffer.from(text, 'hex'))
const arrays = buffers.map(buffer => new Uint8Array(buffer))
const classes = { bson: bson.ObjectId, pooled: PooledObjectId, packed: PackedObjectId }

// Rounds are short, so that most of them run undisturbed even on a busy machine.

// Each operation has a function of its own text for each class: functions of one text
// share what V8 has learned from any of them. `kept` holds the results, so that none can be left out.
const operations = {
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
  'serialize, new buffer': 'kept[i] = bson.serialize(documents[i])'
}

const parameters = ['Id', 'ids', 'twins', 'documents', 'texts', 'buffers', 'arrays', 'kept', 'bson', 'target', 'repeats']

let functionsMade = 0

function prepare(code, Id) {
  const ids = texts.map(text => new Id(text))
  const twins = texts.map(text => new Id(text))
  const documents = ids.map((id, i) => ({ _id: id, number: i }))
  const kept = new Array(COUNT).fill(null)
  const run = new Function(
    ...parameters,
    `for (let n = 0; n < repeats; n++) for (let i = 0; i < ids.length; i++) { ${code} } // ${Id.name} ${++functionsMade}`
  )
  return () => run(Id, ids, twins, documents, texts, buffers, arrays, kept, bson, Buffer.alloc(100), REPEATS)
}

console.log(`Node.js ${process.version}, ns an operation, median of ${ROUNDS} rounds`)
const rows = {}
const wanted = process.argv[2] ?? ''
for (const [name, code] of Object.entries(operations)) {
  if (!name.includes(wanted)) continue
  const functions = Object.fromEntries(Object.entries(classes).map(([key, Id]) => [key, prepare(code, Id)]))
  const medians = measureInTurns(functions, COUNT * REPEATS, ROUNDS)
  rows[name] = Object.fromEntries(Object.entries(medians).map(([key, ns]) => [key, Number(ns.toFixed(1))]))
}
console.table(rows)
