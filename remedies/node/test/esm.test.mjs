import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import * as imported from '@deadweight/remedies'

const require = createRequire(import.meta.url)

test('import and require give the same', () => {
  const required = require('@deadweight/remedies')
  const { default: all, ...named } = imported
  assert.equal(all, required)
  for (const [name, value] of Object.entries(required)) assert.equal(named[name], value, name)
})
