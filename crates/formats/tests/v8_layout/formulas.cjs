'use strict';
// Checks the formulas of docs/formats/v8.md against measured.json, row by row, version by version:
//   node formulas.cjs [other-measurement.json from measure.cjs]
const fs = require('node:fs');
const path = require('node:path');
const pow2 = (x) => { let p = 1; while (p < x) p *= 2; return p; };
const up8 = (x) => Math.ceil(x / 8) * 8;
const dictionary = (cap, v) => (v === 18 ? 56 : 64) + 24 * cap;
const filled = (n) => Math.max(4, pow2(n + (n >> 1)));
const outside = (extra) => (extra > 0 ? 16 + 24 * Math.ceil(extra / 3) : 0);
const grown = (n) => { let cap = 0; for (let k = 1; k <= n; k++) if (k > cap) cap = k + (k >> 1) + 16; return n ? 48 + 8 * cap : 32; };
const exact = (n) => (n ? 48 + 8 * n : 32);
const view = (v) => (v >= 24 ? 104 : 96), buffer = (v) => (v >= 24 ? 96 : v === 18 ? 80 : 88);
const small = (n, v) => view(v) + buffer(v) + (n && n <= 64 ? 16 + up8(n) : 0);
const formulas = {
  'object literal': (n) => (n === 0 ? 56 : n < 128 ? 24 + 8 * n : null),
  'JSON.parse object': (n, v) => (n === 0 ? 56 : n < 128 ? 24 + 8 * n : 24 + dictionary(filled(n), v)),
  '{} then n named assignments': (n) => 56 + outside(n - 4),
  '{} then n computed assignments': (n, v) => (n < 20 ? 56 + outside(n - 4) : 24 + dictionary(filled(n), v)),
  'Object.assign({}, literal of n)': (n) => 56 + outside(n - 4),
  'Object.create(null), n assigned': (n, v) => 24 + dictionary(filled(n), v),
  'object of n+1, first deleted': (n, v) => 24 + dictionary(pow2(n + 3 + ((n + 3) >> 1)), v),
  'array literal of n references': exact, 'new Array(n)': exact, 'slice of n': exact, 'map of n': exact, '[...spread of n]': exact, 'Array.from({length:n})': exact,
  '[] pushed n references': grown, '[] pushed n Smis': grown, '[] pushed n doubles': grown, 'filter keeping n of n': grown,
  'literal of n, then 1 pushed': (n) => 48 + 8 * (n + 1 + ((n + 1) >> 1) + 16),
  'Map, n set': (n) => 72 + 28 * Math.max(4, pow2(n)), 'new Map(array of n pairs)': (n) => 72 + 28 * Math.max(4, pow2(n)),
  'Set, n added': (n) => 72 + 20 * Math.max(4, pow2(n)),
  'new Set(array of n)': (n, v) => 72 + 20 * Math.max(v >= 22 ? 8 : 4, pow2(n)),
  'new Set(Set of n)': (n, v) => 72 + 20 * Math.max(4, pow2(v >= 22 ? n + (n >> 1) : n)),
  'one-byte string of n': (n) => (n < 2 || n > 1e6 ? null : up8(16 + n)),
  'two-byte string of n': (n) => (n < 1 ? null : up8(16 + 2 * n)),
  'BigInt of n bits': (n) => 16 + 8 * Math.ceil(n / 64),
  'new Uint8Array(n)': small, 'Buffer.alloc(n)': small, 'Buffer.allocUnsafeSlow(n)': small,
  'new ArrayBuffer(n)': (n, v) => buffer(v),
};
// Rows whose snapshot figure holds the constructor too: by the delta, where it is steady.
const byDelta = { 'class, n fields in the constructor': (n) => (n <= 252 ? 24 + 8 * n : 24 + 8 * 252 + outside(n - 252)) };
const bySelf = { 'class, n fields in the constructor': (n) => 24 + 8 * Math.min(n, 252) };

const j = JSON.parse(fs.readFileSync(process.argv[2] || path.join(__dirname, 'measured.json'), 'utf8'));
const versions = j.versions ? j.versions.map((v) => parseInt(v, 10)) : [parseInt(j.node.slice(1), 10)];
const rows = j.versions ? j.rows : j.rows.map((r) => [r.name, r.n ?? null, r.shared ? null : r.own ?? null, r.self ?? null, r.delta === undefined ? null : Math.round(r.delta), null]);
let wrong = 0, checked = 0;
const pick = (col, i) => (Array.isArray(col) ? col[i] : col);
for (const [name, n, own, self, delta] of rows) {
  versions.forEach((v, i) => {
    const check = (f, got, slack) => {
      const want = f && f(n, v);
      if (want === null || want === undefined || got === null) return;
      checked++;
      if (Math.abs(got - want) > slack(want)) { wrong++; console.log(`Node ${v}: ${name}, n = ${n}: measured ${got}, formula ${want}`); }
    };
    check(formulas[name], pick(own, i), () => 0);
    check(bySelf[name], pick(self, i), () => 0);
    if (v >= 22) check(byDelta[name], pick(delta, i), (w) => 1 + w / 100);
  });
}
console.log(`${checked} figures checked, ${wrong} wrong`);
process.exitCode = wrong ? 1 : 0;
