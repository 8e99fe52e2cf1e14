import assert from 'node:assert';
import { test } from 'node:test';
import { build } from './rows.cjs';

test('rows', () => {
  globalThis.rows = build();
  assert.equal(rows.length, 40000);
});
