'use strict'

// What interning costs and saves: time for a look-up, bytes of the table for a distinct text.
//
//   node --expose-gc bench/intern.js

const { Interner } = require('..')
const { measureInTurns } = require('./rounds.js')

const TEXTS = 200_000
const rows = {}

function heap() {
  for (let i = 0; i < 4; i++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** New strings each time, as a parser makes them: 59 characters, as an identifier of a file has. */
const parse = distinct =>
  Array.from({ length: TEXTS }, (_, i) => JSON.parse(`"${String(i % distinct).padStart(59, 'x')}"`))

for (const distinct of [10, 4_000, 100_000]) {
  const strings = new Interner()
  const start = heap()
  let texts = parse(distinct)
  const asParsed = heap() - start
  for (let i = 0; i < TEXTS; i++) texts[i] = strings.intern(texts[i])
  const interned = heap() - start
  strings.clear()
  const dropped = heap() - start
  // Look-ups of texts that are not the kept ones, so that their characters are compared.
  for (const text of texts) strings.intern(text)
  let fresh = parse(distinct)
  const times = measureInTurns({ lookUp: () => fresh.forEach(text => strings.intern(text)) }, TEXTS, 9)
  fresh = parse(distinct)
  const first = process.hrtime.bigint()
  for (const text of fresh) strings.intern(text)
  const unhashed = Number(process.hrtime.bigint() - first) / TEXTS
  rows[`${distinct} distinct`] = {
    'MB as parsed': asParsed / 1e6,
    'MB interned': interned / 1e6,
    'MB, table dropped': dropped / 1e6,
    'table, B a text': (interned - dropped) / distinct,
    'ns a new text': unhashed,
    'ns, hash known': times.lookUp
  }
  texts = null
}
for (const row of Object.values(rows)) for (const key in row) row[key] = Number(row[key].toFixed(1))
console.log(`Node.js ${process.version}, ${TEXTS} texts of 59 characters`)
console.table(rows)
