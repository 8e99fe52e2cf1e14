import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeDocuments } from '../generate.js'

const execute = promisify(execFile)
const COUNT = 5000

let folder
let input

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'objectid-'))
  input = join(folder, 'documents.ndjson')
  const file = createWriteStream(input)
  await writeDocuments(COUNT, file)
  file.end()
  await finished(file)
})

after(() => rm(folder, { recursive: true }))

async function run(variant, env = {}) {
  const program = fileURLToPath(new URL(`../${variant}.js`, import.meta.url))
  const { stdout, stderr } = await execute(process.execPath, [program, input], { env: { ...process.env, ...env } })
  return { report: JSON.parse(stdout), stderr }
}

// bson 7 needs it.
const HAS_BSON_7 = Number.parseFloat(process.versions.node) >= 20
const SERVICES = {
  lines: ['before', 'fix-pool', 'fix-packed', 'after', ...(HAS_BSON_7 ? ['before-next', 'bson-next'] : [])],
  comments: ['before-read', 'fix-read-pool', 'fix-read-packed', ...(HAS_BSON_7 ? ['before-read-next', 'read-next'] : [])]
}

for (const [held, variants] of Object.entries(SERVICES)) {
  test(`all variants that hold ${held} print the same, down to the bytes of their documents`, async () => {
    const [before, ...others] = variants
    const { report } = await run(before)
    assert.equal(report[held], COUNT)
    for (const variant of others) assert.deepEqual((await run(variant)).report, report, variant)
  })
}

test('memory is reported on demand, on stderr', async () => {
  for (const variant of ['after', 'before-read']) {
    assert.equal((await run(variant)).stderr, '')
    const { heapUsed, external, arrayBuffers, rss } = JSON.parse((await run(variant, { OBJECTID_MEMORY: '1' })).stderr)
    for (const bytes of [heapUsed, external, arrayBuffers, rss]) assert.ok(bytes > 0)
  }
})
