import { expect, test } from 'vitest';
import { build } from '../rows.cjs';

test('rows', () => {
  globalThis.rows = build();
  expect(rows.length).toBe(40000);
});
