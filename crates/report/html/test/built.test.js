// The page that is embedded is what its source gives.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const tool = (name, path) => join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
const run = (...args) => execFileSync(process.execPath, args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test('dist/report.html is up to date: run `npm run build` after a change', () => {
  const out = mkdtempSync(join(tmpdir(), 'deadweight-'))
  try {
    run(tool('vite', 'bin/vite.js'), 'build', '--outDir', out, '--emptyOutDir', '--logLevel', 'error')
    const built = readFileSync(join(out, 'report.html'), 'utf8')
    assert.ok(built === readFileSync(join(home, 'dist/report.html'), 'utf8'), 'the built page is not what its source gives')
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
})

test('types fit', () => {
  run(tool('typescript', 'bin/tsc'), '--noEmit')
})
