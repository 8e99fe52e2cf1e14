// Measures what the table of published claims needs, and prints it as one JSON object. Builds every program first, into
// the folder that DEADWEIGHT_SCRATCH names. Usage: node figures.js [SCALE], with 1 for the sizes of the table.

'use strict'

const { execFileSync } = require('node:child_process')
const os = require('node:os')
const path = require('node:path')
const { inTurns, median } = require('./rounds')

const scale = Number(process.argv[2] ?? 1)
const build = path.join(process.env.DEADWEIGHT_SCRATCH ?? path.join(os.tmpdir(), 'deadweight-shamap'), 'figures')
const scaled = count => String(Math.round(count * scale))
const share = value => String(value * scale)

function run (program, options = []) {
  return JSON.parse(execFileSync(path.join(build, program), options, { maxBuffer: 1 << 26 }))
}

function buildAll () {
  const cmake = options => execFileSync('cmake', options, { stdio: ['ignore', 'ignore', 'inherit'] })
  cmake(['-S', __dirname, '-B', build, '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O2',
    '-DSHAMAP_FIGURES=ON', '-DBUILD_TESTING=OFF'])
  cmake(['--build', build, '--parallel', process.env.CMAKE_BUILD_PARALLEL_LEVEL ?? '2'])
}

// Every program on the same input, in turns: medians, and how much each differs from the first.
function compared (programs, options, rounds = 3) {
  const runs = inTurns(programs, rounds, program => run(`shamap-${program}`, ['--measure', ...options]))
  const [first] = programs
  const figures = {}
  for (const program of programs) {
    const figure = name => median(runs.get(program).map(result => result.measured[name]))
    // Of runs that stood next to each other.
    const differs = name => median(runs.get(program).map((result, round) =>
      result.measured[name] / runs.get(first)[round].measured[name])) - 1
    const { leaves, inner_nodes: nodes } = runs.get(program)[0]
    figures[program] = {
      in_use: figure('bytes_in_use'),
      resident: figure('resident_bytes'),
      inner_bytes: figure('inner_bytes'),
      inner_bytes_each: figure('inner_bytes') / nodes,
      inner_size: figure('inner_size'),
      insert_ns: figure('insert_ms') * 1e6 / leaves,
      find_ns: figure('find_ms') * 1e6 / leaves,
      find_each_ns: figure('find_each_ms') * 1e6 / leaves,
      hash_ms: figure('hash_ms'),
      store_ms: figure('store_ms'),
      differs: {
        in_use: differs('bytes_in_use'),
        resident: differs('resident_bytes'),
        inner_bytes: differs('inner_bytes'),
        insert: differs('insert_ms'),
        find: differs('find_ms'),
        find_each: differs('find_each_ms'),
        hash: differs('hash_ms'),
        store: differs('store_ms')
      }
    }
  }
  // Many searches at once in one layout, one by one in the first.
  for (const program of programs) {
    figures[program].differs.find_each_from_find = figures[program].find_each_ns / figures[first].find_ns - 1
  }
  return { rounds, leaves: runs.get(first)[0].leaves, inner_nodes: runs.get(first)[0].inner_nodes, programs: figures }
}

function sizes () {
  const { table } = run('savings')
  // Cut, not rounded, as the text has them.
  const cut = row => (Math.floor(row.share * 1000 + 1e-6) / 1000).toFixed(3)
  return { table, text: table.map(row => `${cut(row)} (${row.sizes.slice(0, -1).join(', ')})`).join('; ') }
}

function toAndFro () {
  const figures = run('to_and_fro')
  for (const figure of Object.values(figures)) figure.allocations = Math.round(figure.allocations * 100) / 100
  return figures
}

// An hour is 900 ledgers of four seconds.
function alive (programs) {
  const figures = {}
  for (const program of programs) {
    const { measured } = run(`shamap-${program}`, ['--measure', '--keys', scaled(100_000), '--live', scaled(900)])
    const moments = measured.over_time
    const last = moments[moments.length - 1]
    figures[program] = {
      over_time: moments,
      // What the kept snapshots add comes in the first eighth; what comes later is fragmentation.
      grows: last.resident_bytes / moments[1].resident_bytes - 1,
      in_use_grows: last.bytes_in_use / moments[1].bytes_in_use - 1,
      resident: last.resident_bytes,
      in_use: last.bytes_in_use,
      not_in_use: last.resident_bytes - last.bytes_in_use,
      text: moments.map(moment => (moment.resident_bytes / 1e6).toFixed(0)).join(', ')
    }
    process.stderr.write('.')
  }
  for (const program of programs) {
    figures[program].less = 1 - figures[program].resident / figures[programs[0]].resident
  }
  return figures
}

function opened (programs) {
  const figures = {}
  const keys = ['--measure', '--keys', scaled(50_000)]
  for (const program of programs) {
    figures[program] = {}
    for (const part of [0, 0.01, 0.1, 1]) {
      const { measured } = run(`shamap-${program}`, [...keys, '--open', String(part)])
      const inUse = measured.bytes_in_use
      // Root and store are there from the beginning.
      figures[program].opened ??= inUse
      figures[program][`loaded_${part * 100}`] = inUse - figures[program].opened
      process.stderr.write('.')
    }
  }
  return figures
}

buildAll()
const figures = {
  sizes: sizes(),
  shape: compared(['dense', 'two-arrays', 'one-array', 'bitset', 'sparse-2-4-6-16', 'hashes-first', 'shrinks-late',
    'intrusive', 'joined', 'after'], ['--published', share(0.1), '--no-store']),
  pools: compared(pools(), ['--published', share(0.1), '--no-store']),
  second_cache: compared(['before', 'dense', 'sparse-2-4-6-16', 'sparse-2-8-16', 'after'], ['--keys', scaled(200_000)]),
  to_and_fro: toAndFro(),
  live: alive(['before', 'dense', 'sparse-2-4-6-16', 'after']),
  opened: opened(['dense', 'after'])
}
const slots = figures.shape.programs
figures.shape.saved_published = (slots.dense.inner_bytes_each - slots['sparse-2-4-6-16'].inner_bytes_each) * 1_381_819
process.stderr.write('\n')
console.log(JSON.stringify(figures, null, 2))

// The same programs but for what nodes and arrays come from.
function pools () {
  const { existsSync } = require('node:fs')
  const boost = ['boost-resource', 'boost-pool']
  const missing = boost.filter(name => !existsSync(path.join(build, `shamap-${name}`)))
  if (missing.length > 0) throw new Error(`Boost is not installed: there is no ${missing.join(', ')}`)
  return ['sparse-2-4-6-16', 'pooled', 'thread-caches', 'standard-pools', ...boost]
}
