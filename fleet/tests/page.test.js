// The page of a fleet in a real Chromium. `DEADWEIGHT_CHROMIUM` names another browser than the system's.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(join(here, '../../crates/report/html/package.json'))
const { chromium } = require('playwright-core')
const axe = require.resolve('axe-core/axe.min.js')
const program = join(here, '../target/debug/deadweight-fleet')
const home = mkdtempSync(join(tmpdir(), 'deadweight fleet '))
const env = { ...process.env, DEADWEIGHT_FLEET: join(home, 'fleet') }

const hostile = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">'

/** A line of JSON with a weighing that adds up. */
function line(service, version, host, day, content, saves) {
  const finding = {
    rule: 'D01', holder: `Row.${hostile}`, site: null, count: 10, unaffected: 0, bytes_now: saves, bytes_after: 0,
    saves, saves_alone: saves, external: false, confidence: 'exact', tier: 'sure', assumes: null,
    fingerprint: '00c0ffee00c0ffee', title: hostile, fix: hostile, evidence: {},
  }
  const weighing = {
    schema: 'deadweight/weighing/2',
    source: { path: 'made', bytes: 1, format: 'v8-heapsnapshot' },
    runtime: { name: 'node', version: '22.0.0', word_bytes: 8, allocator: 'v8' },
    process: null,
    held: { bytes: content + saves, content, runtime: 0, dead: saves, dead_sure: saves, objects: 9 },
    external: { bytes: 0, dead: 0, dead_sure: 0 },
    findings: saves > 0 ? [finding] : [],
    groups: [], options: [], not_measured: [], churned: null,
    holdings: {
      places: [{ holder: 'Row', of: null, holds: hostile, count: 1, bytes: content + saves }],
      folded: { places: 0, count: 0, bytes: 0, external: 0 },
    },
  }
  return JSON.stringify({ service, version, host, captured_at: `2026-03-${day}T12:00:00Z`, weighing }) + '\n'
}

let server, browser, url

before(async () => {
  let lines = ''
  for (const host of ['a', 'b', 'c']) {
    lines += line('api', '1', host, '01', 6e6, 3e6)
    lines += line('api', '2', host, '02', 6e6, host === 'c' ? 3e6 : 0)
    lines += line(hostile, '1', host, '02', 2e6, 1e6)
  }
  execFileSync(program, ['ingest', '-', '--with-texts'], { env, input: lines })
  server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--price-gb-hour', '0.01'], { env })
  url = await new Promise((found) => server.stdout.once('data', (said) => found(/http:\/\/[^\s/]+\//.exec(said)[0])))
  browser = await chromium.launch({
    executablePath: process.env.DEADWEIGHT_CHROMIUM ?? '/usr/bin/chromium',
    // Without the right to make namespaces, as in a container, Chromium has no sandbox; it only opens our own server.
    args: ['--no-sandbox'],
  })
})

after(async () => {
  await browser?.close()
  server?.kill()
  rmSync(home, { recursive: true, force: true })
})

async function open(view, hash = '', more = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 860 }, ...more })
  const page = await context.newPage()
  const said = []
  const asked = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(url + hash)
  await page.waitForSelector(`main[data-ready="${view}"]`)
  return { page, said, asked, close: () => context.close() }
}

test('the first screen says how much, and the map covers all that is held', async () => {
  const { page, said, asked, close } = await open('fleet')
  assert.equal(await page.locator('h1').innerText(), '6.0 MB of 30.0 MB held are dead weight (20.0 %)')
  assert.match(await page.locator('#about').innerText(), /^On 6 hosts of 2 services, .* It costs 0\.04 a month\.$/)
  const tiles = await page.locator('.tile').evaluateAll((all) => all.map((one) => one.offsetWidth * one.offsetHeight))
  const field = await page.locator('.map').evaluate((one) => one.offsetWidth * one.offsetHeight)
  assert.equal(tiles.length, 2)
  assert.ok(Math.abs(tiles[0] / field - 21 / 30) < 0.02, `${tiles} of ${field}`)
  assert.ok(Math.abs(tiles[1] / field - 9 / 30) < 0.02, `${tiles} of ${field}`)
  const shade = await page.locator('.tile .shade').first().evaluate((one) => one.offsetHeight / one.parentElement.clientHeight)
  assert.ok(Math.abs(shade - 1 / 7) < 0.03, String(shade))
  const points = await page.locator('polyline').getAttribute('points')
  assert.equal(points.split(' ').length, 2)
  assert.deepEqual(said, [])
  assert.ok(asked.every((one) => one.startsWith(url)), `the page asked for ${asked}`)
  await close()
})

test('from a service to one weighing, and from a finding to the hosts that lack its fix', async () => {
  const { page, said, close } = await open('fleet')
  await page.locator('.tile', { hasText: 'api' }).first().click()
  await page.waitForSelector('main[data-ready="service"]')
  assert.equal(await page.locator('h1').innerText(), 'api')
  await page.locator('table').last().locator('a').first().click()
  await page.waitForSelector('main[data-ready="weighing"]')
  assert.match(await page.locator('#about').innerText(), /^api 2 on [abc], 2026-03-02/)
  await page.goto(`${url}#fingerprint=00c0ffee`)
  await page.waitForSelector('main[data-ready="who"]')
  assert.match(await page.locator('h1').innerText(), /4 of 6 hosts lack the fix$/)
  await page.getByRole('link', { name: 'All services' }).click()
  await page.waitForSelector('main[data-ready="fleet"]')
  assert.deepEqual(said, [])
  await close()
})

test('what a program\'s texts say stays text', async () => {
  for (const [view, hash] of [
    ['fleet', ''],
    ['service', `#${new URLSearchParams({ service: hostile })}`],
    ['who', '#fingerprint=00c0ffee00c0ffee'],
  ]) {
    const { page, close } = await open(view, hash)
    assert.equal(await page.evaluate('window.hacked'), undefined, view)
    assert.equal(await page.locator('main img, main script').count(), 0, view)
    assert.ok((await page.locator('body').innerText()).includes('</script><script>window.hacked=1'), view)
    await close()
  }
})

test('the policy lets no code in that the page does not have', async () => {
  const { page, said, close } = await open('fleet')
  await page.evaluate(() => {
    const script = document.createElement('script')
    try {
      script.textContent = 'window.hacked = 3'
    } catch {
      // Text of scripts needs a trusted type.
    }
    document.body.append(script)
  })
  assert.equal(await page.evaluate('window.hacked'), undefined)
  assert.ok(said.some((one) => one.includes('Content Security Policy') || one.includes('TrustedScript')), `${said}`)
  await close()
})

test('it can be read by everybody, in light and dark and on a small screen', async () => {
  for (const more of [{}, { colorScheme: 'dark' }, { viewport: { width: 360, height: 700 } }]) {
    const { page, close } = await open('fleet', '', { ...more, bypassCSP: true })
    await page.addScriptTag({ path: axe })
    const found = await page.evaluate(() => window.axe.run())
    const broken = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`)
    assert.deepEqual(broken, [])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${wide} too wide`)
    await close()
  }
})
