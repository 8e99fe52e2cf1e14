// What the look-ups of interning cost by themselves:
//
//   node --expose-gc figures/interning.js ROUND
//
// Prints JSON: CPU nanoseconds a record of the look-ups, and of parsing the record, for comparison.
// Strings come fresh from JSON.parse each time, so their hashes are computed too.

import { readFileSync } from 'node:fs'
import { Interner } from '../lib/intern.js'
import { median } from './programs.js'

const ROUNDS = 7

const lines = readFileSync(process.argv[2], 'latin1').trimEnd().split('\n')
const parse = []
const lookUp = []
for (let round = 0; round < ROUNDS; round++) {
  const records = []
  parse.push(nanoseconds(() => lines.forEach(line => records.push(JSON.parse(line)))))
  globalThis.gc()
  const strings = new Interner()
  lookUp.push(nanoseconds(() => records.forEach(record => strings.internFields(record))))
}
console.log(JSON.stringify({ records: lines.length, parse_ns: median(parse), look_up_ns: median(lookUp) }))

function nanoseconds(act) {
  const start = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(start)
  return ((user + system) * 1000) / lines.length
}
