// axe-core finds nothing to complain about, in any colours, at any width, with everything opened.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'

import { close, open, page, proof, real } from '../testing/browser.js'

after(close)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

async function complaints(shown) {
  await shown.evaluate(axe)
  const { violations } = await shown.evaluate((tags) => axe.run(document, { runOnly: tags, rules: { 'target-size': { enabled: true } } }), TAGS)
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map((node) => `${id}: ${node.target} ${node.failureSummary}`))
}

const files = {
  'a Node.js program': page(real('spark-before')),
  'the TypeScript compiler': page(real('compiler')),
  'a native program': page(real('shamap')),
  'allocations alone': page(real('client-before')),
  'two dumps': page(real('shamap'), real('spark-before')),
  'before and after': proof(real('spark-before'), real('spark-percentiles')),
  'what is made before and after': proof(real('client-before'), real('client-fixed')),
  'what is made by other numbers of operations': proof(real('line-count-before'), real('line-count-after')),
}
const looks = {
  light: {},
  dark: { colorScheme: 'dark' },
  narrow: { width: 360, height: 780 },
  'narrow and dark': { width: 360, height: 780, colorScheme: 'dark' },
}

for (const [name, file] of Object.entries(files)) {
  for (const [look, settings] of Object.entries(looks)) {
    test(`${name}, ${look}`, async () => {
      const opened = await open(file, settings)
      const shown = opened.page
      assert.deepEqual(await complaints(shown), [])
      if ((await shown.locator('#finding-0').count()) > 0) {
        await shown.locator('#finding-0').click()
        await shown.locator('#finding-0-detail summary').click()
        await shown.getByText('The map as a table').click()
        await shown.locator('.tile').first().hover()
        assert.deepEqual(await complaints(shown), [], 'with a finding, its rule and the table opened')
      }
      await shown.getByRole('button', { name: 'Keys', exact: true }).click()
      assert.deepEqual(await complaints(shown), [], 'with the list of keys')
      await opened.close()
    })
  }
}
