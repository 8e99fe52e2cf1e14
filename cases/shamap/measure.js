// Measures all programs in turns, so that whatever else the machine does falls on all of them alike, and prints the
// tables of the README. Usage: node measure.js [ROUNDS [options of the programs]]. Build them first: ./build.sh

'use strict'

const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { inTurns, median } = require('./rounds')

const programs = [
  'before', 'dense', 'sparse-6-16', 'sparse-2-8-16', 'sparse-2-4-6-16', 'pooled', 'intrusive', 'joined', 'after'
]
const rounds = Number(process.argv[2] ?? 5)
const options = process.argv.slice(3)
const build = process.env.SHAMAP_BUILD ?? path.join(__dirname, 'build')

const runs = inTurns(programs, rounds, program =>
  JSON.parse(execFileSync(path.join(build, `shamap-${program}`), ['--measure', ...options])))
process.stderr.write('\n')
const first = runs.get('before')[0]

const figure = (program, name) => median(runs.get(program).map(result => result.measured[name]))
// The median of the ratios of runs that stood next to each other.
const ratio = (program, name) => median(runs.get(program).map((result, round) =>
  result.measured[name] / runs.get('dense')[round].measured[name]))

const mb = bytes => (bytes / 1e6).toFixed(1)
const share = value => `${(value * 100).toFixed(1)} %`
const signed = value => `${value < 1 ? '−' : '+'}${Math.abs((value - 1) * 100).toFixed(0)} %`

console.log(`${first.leaves} leaves, ${first.inner_nodes} inner nodes, ${rounds} rounds, root ${first.root}\n`)
console.log('| program | inner nodes, bytes | less than dense | in use, MB | RSS, MB | less than before |')
console.log('|---|---|---|---|---|---|')
for (const program of programs) {
  const inner = figure(program, 'inner_bytes')
  console.log(`| \`${program}\` | ${inner.toLocaleString('en')} | ${share(1 - inner / figure('dense', 'inner_bytes'))} | ` +
    `${mb(figure(program, 'bytes_in_use'))} | ${mb(figure(program, 'resident_bytes'))} | ` +
    `${share(1 - figure(program, 'resident_bytes') / figure('before', 'resident_bytes'))} |`)
}
console.log('\n| program | insert, ns a key | against dense | find, ns a key | against dense | find many at once | hash, ms |')
console.log('|---|---|---|---|---|---|---|')
for (const program of programs) {
  const each = name => (figure(program, name) * 1e6 / first.leaves).toFixed(0)
  console.log(`| \`${program}\` | ${each('insert_ms')} | ${signed(ratio(program, 'insert_ms'))} | ` +
    `${each('find_ms')} | ${signed(ratio(program, 'find_ms'))} | ${each('find_each_ms')} | ${figure(program, 'hash_ms').toFixed(0)} |`)
}
