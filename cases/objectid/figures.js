// Measures what the tables of what was published need: bytes and times of single ids, and
// the memory of a million documents that were read. One JSON object on stdout.
//
//   node figures.js [DOCUMENTS]

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, closeSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DOCUMENTS = Number(process.argv[2] ?? 1_000_000)
const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const scratch = process.env.DEADWEIGHT_SCRATCH ?? join(tmpdir(), 'deadweight-objectid')

/** Programs of documents that were read, and of lines made from text. */
const PROGRAMS = {
  read: ['before-read', 'fix-read-pool', 'fix-read-packed', 'before-read-next', 'read-next'],
  lines: ['before', 'fix-pool', 'fix-packed']
}

const { ids, buffer, pinned } = node(['--expose-gc', 'figures/ids.js', 'memory'])
const speed = node(['--expose-gc', 'figures/ids.js', 'speed'])
const input = documents()
const figures = { node: process.version, documents: DOCUMENTS, ids, buffer, pinned, speed }
for (const [kind, programs] of Object.entries(PROGRAMS)) {
  const [before] = programs
  figures[kind] = {}
  for (const program of programs) {
    const { heapUsed, external, rss } = memoryOf(program, input)
    figures[kind][program] = { heapUsed, external, both: heapUsed + external, rss }
  }
  for (const [program, held] of Object.entries(figures[kind])) {
    const first = figures[kind][program === 'read-next' ? 'before-read-next' : before]
    held.saved = 1 - held.both / first.both
    held.savedOfRss = 1 - held.rss / first.rss
  }
}
console.log(JSON.stringify(figures))

/** What a script prints as JSON. */
function node(script) {
  console.error(`node ${script.join(' ')}`)
  const { status, stdout } = spawnSync(process.execPath, script, { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error(`${script.join(' ')} ended with ${status}`)
  return JSON.parse(stdout)
}

/** The input, made once. */
function documents() {
  mkdirSync(scratch, { recursive: true })
  const path = join(scratch, `documents-${DOCUMENTS}.ndjson`)
  if (existsSync(path)) return path
  const part = openSync(`${path}.part`, 'w')
  const { status } = spawnSync(process.execPath, ['generate.js', String(DOCUMENTS)], { cwd: FOLDER, stdio: ['ignore', part, 'inherit'] })
  closeSync(part)
  if (status !== 0) throw new Error('no documents were made')
  renameSync(`${path}.part`, path)
  return path
}

/** What a program holds in the end, after garbage is collected. */
function memoryOf(program, input) {
  console.error(`${program}.js`)
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', `${program}.js`, input], {
    cwd: FOLDER,
    env: { ...process.env, OBJECTID_MEMORY: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`${program}.js ended with ${status}: ${stderr}`)
  return JSON.parse(stderr.trim().split('\n').at(-1))
}
