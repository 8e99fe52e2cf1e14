'use strict'

// Columns against plain objects: time to run over all of them, and memory.
//
//   node --expose-gc bench/columns.js [records]

const { Columns } = require('..')
const { measureInTurns } = require('./rounds.js')

const COUNT = Number(process.argv[2] ?? 200_000)
const ROUNDS = 21

function recordAt(i) {
  return {
    id: i,
    price: i / 3,
    paid: i % 3 === 0,
    at: 1_700_000_000_000 + i,
    // As parsed: a string of its own for each record, here for at most 1,000 texts.
    city: JSON.parse(`"a city, number ${i % 1000}"`),
    rate: i % 4 === 0 ? null : i
  }
}

const SCHEMA = {
  id: 'int32',
  price: 'float64',
  paid: 'boolean',
  at: 'timestamp',
  city: 'string',
  rate: { type: 'int32', nullable: true }
}

const bytesOf = make => {
  const before = memory()
  const value = make()
  return [value, (memory() - before) / COUNT]
}

function memory() {
  for (let i = 0; i < 4; i++) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const [objects, objectBytes] = bytesOf(() => Array.from({ length: COUNT }, (_, i) => recordAt(i)))
const [table, tableBytes] = bytesOf(() => {
  const columns = new Columns(SCHEMA)
  for (let i = 0; i < COUNT; i++) columns.push(recordAt(i))
  return columns.trim()
})

// A text of its own for each: functions of one text share what V8 has learned from either.
const loops = {
  'for of, one number': 'let sum = 0; for (const record of all) sum += record.id; return sum',
  'for of, all fields':
    'let sum = 0; for (const r of all) { sum += r.id + r.price + r.at + r.city.length; if (r.paid) sum++; if (r.rate !== null) sum += r.rate } return sum',
  'for of, text compared': "let n = 0; for (const r of all) if (r.city === 'a city, number 7') n++; return n",
  'by index, two numbers': 'let sum = 0; for (let i = 0; i < all.length; i++) { const r = all.at(i); sum += r.id + r.price } return sum',
  'forEach, one nullable': 'let sum = 0; all.forEach(r => { if (r.rate !== null) sum += r.rate }); return sum'
}

console.log(`Node.js ${process.version}, ${COUNT} records of 6 fields`)
console.log(`bytes a record: objects ${objectBytes.toFixed(1)}, columns ${tableBytes.toFixed(1)}`)
const rows = {}
for (const [name, body] of Object.entries(loops)) {
  const overObjects = new Function('all', `${body} // objects`)
  const overColumns = new Function('all', `${body} // columns`)
  if (overObjects(objects) !== overColumns(table)) throw new Error(`${name}: results differ`)
  const ns = measureInTurns({ objects: () => overObjects(objects), columns: () => overColumns(table) }, COUNT, ROUNDS)
  rows[name] = { objects: Number(ns.objects.toFixed(2)), columns: Number(ns.columns.toFixed(2)) }
}
const sources = Array.from({ length: COUNT }, (_, i) => recordAt(i))
const pushed = measureInTurns(
  {
    objects: () => {
      const list = []
      for (const record of sources) list.push({ ...record })
      return list
    },
    columns: () => {
      const columns = new Columns(SCHEMA)
      for (const record of sources) columns.push(record)
      return columns
    }
  },
  COUNT,
  7
)
rows.push = { objects: Number(pushed.objects.toFixed(2)), columns: Number(pushed.columns.toFixed(2)) }
console.log('ns a record')
console.table(rows)
