// Reports in a real Chromium. `DEADWEIGHT` names the binary that writes them, `DEADWEIGHT_CHROMIUM` the browser.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const deadweight = process.env.DEADWEIGHT ?? join(here, '../../../../target/debug/deadweight')
const home = mkdtempSync(join(tmpdir(), 'deadweight report '))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** A weighing of a real program; README.md says how each was made. */
export const real = (name) => join(here, 'weighings', `${name}.json`)

/** Writes a weighing made by a test. */
export function made(name, weighing) {
  const path = join(home, `${name}.json`)
  writeFileSync(path, JSON.stringify(weighing))
  return path
}

/** Has the tool write the page of one or more weighings. */
export function page(...weighings) {
  const path = join(home, `${weighings.length}-${weighings[0].replaceAll(/[^a-z0-9]/gi, '')}.html`)
  execFileSync(deadweight, ['view', '--no-open', '--output', path, ...weighings])
  return path
}

/** Has the tool write the page before and after a change. */
export function proof(before, after) {
  const path = join(home, `${basename(before)}-${basename(after)}-proof.html`)
  execFileSync(deadweight, ['prove', '--format', 'html', '--output', path, before, after])
  return path
}

let browser
export async function close() {
  await browser?.close()
}

/** Opens a page as a file, and notes all it says and asks for. */
export async function open(path, { colorScheme = 'light', width = 1200, height = 860, hash = '' } = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.DEADWEIGHT_CHROMIUM ?? '/usr/bin/chromium',
    // Without the right to make namespaces, as in a container, Chromium has no sandbox; it only opens our own files.
    args: ['--no-sandbox'],
  })
  const context = await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const said = []
  const asked = []
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => said.push(`error: ${error.message}`))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(path).href + hash)
  await page.waitForSelector('h1')
  return { page, said, asked, close: () => context.close() }
}

/** A finding as a weighing has it. */
export function finding(more) {
  return {
    rule: 'D01',
    holder: 'Record.field',
    site: null,
    count: 10,
    unaffected: 2,
    bytes_now: 1000,
    bytes_after: 100,
    saves: 900,
    saves_alone: 900,
    external: false,
    confidence: 'exact',
    tier: 'sure',
    assumes: null,
    fingerprint: '00c0ffee00c0ffee',
    title: '10 strings hold 1 value',
    fix: 'keep one copy',
    evidence: {},
    ...more,
  }
}

/** A weighing that adds up. */
export function weighing(findings, more = {}) {
  const dead = findings.filter((one) => !one.external).reduce((sum, one) => sum + one.saves, 0)
  const held = findings.filter((one) => !one.external && one.tier === 'sure')
  const sure = held.reduce((sum, one) => sum + one.saves, 0)
  const outside = findings.filter((one) => one.external).reduce((sum, one) => sum + one.saves, 0)
  return {
    schema: 'deadweight/weighing/2',
    source: { path: 'made.heapsnapshot', bytes: 1, format: 'v8-heapsnapshot' },
    runtime: { name: 'node', version: '22.0.0', word_bytes: 8, allocator: 'v8' },
    process: null,
    held: { bytes: dead * 2 + 2000, content: dead + 1000, runtime: 1000, dead, dead_sure: sure, objects: 100 },
    external: { bytes: outside * 2, dead: outside, dead_sure: 0 },
    findings,
    groups: [],
    options: [],
    not_measured: [],
    churned: null,
    ...more,
  }
}
