'use strict';
// Measures what V8 really charges for each kind of value, on the Node that runs it.
//
//   node --expose-gc measure.cjs [--quick] [--only=prefix] > node-XX.json
//
// Every row is measured in two independent ways:
//   delta     heapUsed per item, after a full collection, over many items held by an array that
//             was allocated and filled before, so its slots are not in the figure
//   external  the same for `external`
//   own       self_size summed over the nodes of a heap snapshot which only the exemplar reaches,
//             without hidden classes and code
//   self      self_size of the exemplar alone
//   shape     self_size of the hidden classes and descriptor arrays only the exemplar reaches
//   parts     what `own` is made of: "edge>type:name" → bytes
const v8 = require('node:v8');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const gc = globalThis.gc;
if (!gc) throw new Error('run with --expose-gc');
const quick = process.argv.includes('--quick');
const only = (process.argv.find((a) => a.startsWith('--only=')) || '').slice(7);

class DeadweightExemplars {}
const exemplars = (globalThis.DEADWEIGHT_EXEMPLARS = new DeadweightExemplars());
exemplars.list = [];
const rows = [];

function settle() { gc(); gc(); }

// `make(i)` returns one item. `count` items are made; small when an item is large.
// A collection may free code or compile late, which shifts one reading by some hundred kilobytes:
// read until two agree, and keep the last.
function deltaOf(make, count) {
  let last = deltaOnce(make, count);
  for (let tries = 0; tries < 4; tries++) {
    const next = deltaOnce(make, count);
    const agree = Math.abs(next.delta - last.delta) <= 0.5 + Math.abs(last.delta) / 200;
    last = next;
    if (agree) break;
  }
  return last;
}

function deltaOnce(make, count) {
  const keep = new Array(count).fill(0);
  for (let i = 0; i < 40; i++) keep[i % count] = make(i + 1e6);
  keep.fill(0);
  settle();
  const before = process.memoryUsage();
  for (let i = 0; i < count; i++) keep[i] = make(i);
  settle();
  const after = process.memoryUsage();
  const out = {
    delta: Math.round(((after.heapUsed - before.heapUsed) / count) * 10) / 10,
    external: Math.round(((after.external - before.external) / count) * 10) / 10,
  };
  keep.fill(0);
  return out;
}

function row(name, n, make, opts = {}) {
  if (only && !name.startsWith(only)) return;
  const r = { name };
  if (n !== null) r.n = n;
  if (opts.delta !== false && !quick) {
    const count = opts.count || Math.max(400, Math.min(10000, Math.floor(1e6 / (opts.size || 200))));
    Object.assign(r, deltaOf(make, count));
    r.count = count;
  }
  if (opts.snap !== false) {
    for (let i = 0; i < 20; i++) make(2e6 + i);
    exemplars.list.push(make(3e6));
    r.exemplar = exemplars.list.length - 1;
  }
  rows.push(r);
}

const F = (args, body) => new Function(...args, body);
const names = (n, p = 'f') => Array.from({ length: n }, (_, i) => p + i);
const range = (a, b) => Array.from({ length: b - a + 1 }, (_, i) => a + i);
const shared = { shared: true };
const sharedText = 'some shared text';

// ---- objects -------------------------------------------------------------------------------
function objects() {
  const sizes = [...range(0, 30), 50, 100, 127, 128, 129, 200, 252, 253, 300, 1020, 1021, 1100];
  for (const n of sizes) {
    const few = n <= 30;
    row('object literal', n, F(['i'], `return {${names(n).map((k) => `${k}:i`)}}`), { delta: few, size: 24 + 8 * n });
    const text = JSON.stringify(Object.fromEntries(names(n).map((k) => [k, 1])));
    row('JSON.parse object', n, () => JSON.parse(text), { delta: few, size: 24 + 8 * n });
  }
  for (const n of [...range(0, 40), 60, 100, 200, 252, 300]) {
    const body = names(n).map((k) => `this.${k}=v`).join(';');
    const C = F([], `return class Item{constructor(v){${body}}}`)();
    row('class, n fields in the constructor', n, (i) => new C(i), { delta: n <= 40, size: 24 + 8 * n });
  }
  for (const n of [0, 1, 2, 5, 10, 20]) {
    const D = F([], `return class Item{${names(n).map((k) => `${k}=1`).join(';')}}`)();
    row('class, n field declarations', n, () => new D());
    const E2 = F([], `class B{constructor(v){this.b0=v;this.b1=v}} return class Item extends B{constructor(v){super(v);${names(n).map((k) => `this.${k}=v`).join(';')}}}`)();
    row('class extends a base of 2 fields, n of its own', n, (i) => new E2(i));
    const Fn = F([], `return function Item(v){${names(n).map((k) => `this.${k}=v`).join(';')}}`)();
    row('constructor function, n fields', n, (i) => new Fn(i));
    const P = F([], `return class Item{${names(n).map((k) => `#${k}=1`).join(';')};}`)();
    row('class, n private fields', n, () => new P());
  }
  class Methods { #m() {} constructor() { this.a = 1; } static s(o) { return o.#m; } }
  row('class, 1 field and a private method', null, () => new Methods());
  for (const n of [1, 3, 6]) {
    const L = F([], `return class Item{constructor(v){this.a=v} more(v){${names(n).map((k) => `this.${k}=v`).join(';')};return this}}`)();
    row('class of 1 field, n added by a method', n, (i) => new L(i).more(i));
  }
  for (const n of [...range(1, 30), 60, 100, 127, 128, 129, 132, 133, 140, 200]) {
    const f = F(['i'], `const o={};${names(n).map((k) => `o.${k}=i`).join(';')};return o`);
    row('{} then n named assignments', n, f, { delta: n <= 30 });
    const ks = names(n, 'k');
    row('{} then n computed assignments', n, (i) => { const o = {}; for (const k of ks) o[k] = i; return o; }, { delta: n <= 30, size: 100 + 30 * n });
  }
  for (const n of range(1, 20)) {
    const src = F(['i'], `return {${names(n).map((k) => `${k}:i`)}}`)(1);
    // Closures made by one site share its feedback, so a loop over n would leave it megamorphic:
    // each size gets a function of its own. The megamorphic case is measured after them.
    const on = (body, v) => F(['v'], `return (i)=>(${body})`)(v);
    row('{...literal of n}', n, on('{...v}', src));
    row('{...literal of n, extra}', n, on('{...v,extra:i}', src), { count: 4000 });
    row('{extra, ...literal of n}', n, on('{extra:i,...v}', src), { count: 4000 });
    row('Object.assign({}, literal of n)', n, on('Object.assign({},v)', src), { count: 4000 });
    const parsed = JSON.parse(JSON.stringify(src));
    row('{...JSON object of n, extra}', n, on('{...v,extra:i}', parsed), { count: 4000 });
    const C = F([], `return class Item{constructor(v){${names(n).map((k) => `this.${k}=v`).join(';')}}}`)();
    for (let i = 0; i < 30; i++) new C(1);
    const inst = new C(1);
    row('{...instance of n, extra}', n, on('{...v,extra:i}', inst), { count: 4000 });
    row('{...JSON object of n, two extras}', n, on('{...v,extra:i,more:i}', parsed), { count: 4000 });
    row('{...JSON object of n}, then 1 assigned', n, F(['v'], 'return (i)=>{const o={...v};o.extra=i;return o}')(parsed), { count: 4000 });
    row('{...JSON object of n, extra}, megamorphic site', n, (i) => ({ ...parsed, extra: i }), { count: 4000 });
    row('{...instance of n, extra}, megamorphic site', n, (i) => ({ ...inst, extra: i }), { count: 4000, delta: false });
    row('structuredClone of n', n, () => structuredClone(src), { count: 1000, delta: n < 3 });
    row('Object.fromEntries of n', n, () => Object.fromEntries(Object.entries(src)), { count: 2000, delta: n < 6 });
  }
  for (const n of [...range(1, 60), 100, 150, 200]) {
    const make = F(['i'], `return {zz:0,${names(n).map((k) => `${k}:i`)}}`);
    row('object of n+1, first deleted', n, (i) => { const o = make(i); delete o.zz; return o; }, { delta: n <= 30, size: 100 + 60 * n });
    const ks = names(n, 'k');
    row('Object.create(null), n assigned', n, (i) => { const o = Object.create(null); for (const k of ks) o[k] = i; return o; }, { delta: n <= 30, size: 100 + 60 * n });
  }
  row('Object.create(null), n assigned', 0, () => Object.create(null));
  row('object of 5, last deleted', null, (i) => { const o = { a: i, b: i, c: i, d: i, e: i }; delete o.e; return o; });
  row('object of 5, then 1 deleted and 1 added', null, (i) => { const o = { a: i, b: i, c: i, d: i, e: i }; delete o.a; o.z = i; return o; });
  for (const n of [20, 40]) {
    const make = F(['i'], `return {${names(n).map((k) => `${k}:i`)}}`);
    row('object of n, all but 2 deleted', n, (i) => { const o = make(i); for (let k = 0; k < n - 2; k++) delete o['f' + k]; return o; }, { count: 4000 });
  }
  row('object with integer keys 0..n-1', 1, (i) => ({ 0: i }));
  row('object with integer keys 0..n-1', 4, (i) => ({ 0: i, 1: i, 2: i, 3: i }));
  row('{} then o[0]=v', null, (i) => { const o = {}; o[0] = i; return o; });
  row('{} then o[1000+i]=v', null, (i) => { const o = {}; o[1000000 + i] = i; return o; });
  row('Object.freeze literal of 3', null, (i) => Object.freeze({ a: i, b: i, c: i }), { count: 4000 });
  row('Object.seal literal of 3', null, (i) => Object.seal({ a: i, b: i, c: i }), { count: 4000 });
  const sym = Symbol('s');
  row('literal of 1 symbol key', null, (i) => ({ [sym]: i }));
  row('literal of 2 and 1 computed key', null, (i) => ({ a: i, b: i, [sharedText]: i }));
  row('literal with a getter', null, (i) => ({ a: i, get g() { return 1; } }));
  row('literal with a method', null, (i) => ({ a: i, m() { return 1; } }));
  row('defineProperty, accessor', null, (i) => Object.defineProperty({ a: i }, 'g', { get: isNaN }));
  row('{__proto__:null, a, b}', null, (i) => ({ __proto__: null, a: i, b: i }));
  row('object with its own prototype', null, (i) => Object.create({ p: i }), { count: 4000 });
  row('object with a per-object key', null, (i) => ({ ['key' + i]: i }), { count: 4000 });
  row('{a} with a key of its own added', null, (i) => { const o = { a: i }; o['own' + i] = 1; return o; }, { count: 4000 });
  row('nested literal {a:{b:{}}}', null, (i) => ({ a: { b: { c: i } } }));
}

// ---- numbers -------------------------------------------------------------------------------
function numbers() {
  const values = { zero: 0, 'minus zero': -0, NaN: NaN, '2^30-1': 2 ** 30 - 1, '2^30': 2 ** 30, '2^31-1': 2 ** 31 - 1, '2^31': 2 ** 31, '-2^30-1': -(2 ** 30) - 1, '-2^31': -(2 ** 31), '-2^31-1': -(2 ** 31) - 1, '2^32': 2 ** 32, '1.5': 1.5, 'ms now': 1700000000123 };
  for (const [k, v] of Object.entries(values)) {
    const C = F([], 'return class Item{constructor(v){this.x=v}}')();
    row(`field holding ${k}`, null, () => new C(v));
    const text = JSON.stringify({ a: v });
    if (Number.isFinite(v)) row(`JSON.parse {"a":${k}}`, null, () => JSON.parse(text));
    const slots = F([], 'return class Item{constructor(v){this.x=v}}')();
    new slots('a string first'); new slots({});
    row(`tagged field holding ${k}`, null, () => new slots(v));
    row(`tagged field holding ${k}, computed anew`, null, (i) => new slots(v + (i & 1 ? 0 : 0 * i)));
  }
  const D = F([], 'return class Item{constructor(v){this.x=v}}')();
  row('double field, a new double each', null, (i) => new D(i + 0.5));
  const src = new D(0.25);
  row('double field, copied from one object', null, () => new D(src.x));
  const T = F([], 'return class Item{constructor(v){this.x=v}}')();
  new T('string'); new T({});
  const tsrc = new T(0.75);
  row('tagged field, copied from one object', null, () => new T(tsrc.x));
  row('tagged field, a new double each', null, (i) => new T(i + 0.5));
  row('tagged field, a new Smi each', null, (i) => new T(i));
  const M = F([], 'return class Item{constructor(a,b,c){this.a=a;this.b=b;this.c=c}}')();
  row('3 double fields, 3 new doubles', null, (i) => new M(i + 0.1, i + 0.2, i + 0.3));
  row('3 double fields, one value in all', null, (i) => { const d = i + 0.1; return new M(d, d, d); });
  const G = F([], 'return class Item{constructor(v){this.x=v}}')();
  row('field Smi first, then a double', null, (i) => { const o = new G(1); o.x = i + 0.5; return o; });
  row('double field set back to a Smi', null, (i) => { const o = new D(i + 0.5); o.x = 3; return o; });
  row('double field written 5 times', null, (i) => { const o = new D(i + 0.5); for (let k = 0; k < 5; k++) o.x = i + k / 7; return o; });
  row('tagged field written 5 times', null, (i) => { const o = new T(i + 0.5); for (let k = 0; k < 5; k++) o.x = i + k / 7; return o; });
  row('double in an array of objects', null, (i) => [shared, i + 0.5]);
  row('spread of an object with a double', null, (i) => ({ ...{ a: i + 0.5 } }));
  const dl = { a: 0.5, b: 1 };
  row('spread of one object with a double', null, () => ({ ...dl }));
  row('Number object, Smi', null, (i) => new Number(i));
  row('Number object, double', null, (i) => new Number(i + 0.5));
  row('Boolean object', null, () => new Boolean(true));
  row('String object', null, () => new String(sharedText));
  for (const bits of [0, 1, 32, 63, 64, 65, 128, 129, 256, 1024]) row('BigInt of n bits', bits, (i) => (bits ? (1n << BigInt(bits - 1)) | (bits > 20 ? BigInt(i & 1023) : 0n) : 0n), { count: 4000 });
  row('bigint in BigInt64Array of 20', null, () => new BigInt64Array(20));
}

// ---- arrays --------------------------------------------------------------------------------
function arrays() {
  for (const n of [...range(0, 20), 50, 100]) {
    row('array literal of n references', n, F(['i', 's'], `return [${names(n).map(() => 'this.s')}]`).bind({ s: shared }), { size: 60 + 8 * n });
    row('array literal of n constants (shared store)', n, F([], `return [${names(n).map((_, i) => i)}]`), { size: 60 + 8 * n });
    row('new Array(n)', n, () => new Array(n), { size: 60 + 8 * n });
    row('new Array(n).fill(reference)', n, () => new Array(n).fill(shared), { size: 60 + 8 * n });
    row('Array.from({length:n})', n, () => Array.from({ length: n }, () => shared), { size: 60 + 16 * n, delta: n < 10 });
    const base = new Array(n).fill(shared).map((x) => x);
    row('slice of n', n, () => base.slice(), { size: 60 + 8 * n });
    row('map of n', n, () => base.map((x) => x), { size: 60 + 8 * n });
    row('filter keeping n of n', n, () => base.filter(() => true), { size: 60 + 16 * n });
    row('[...spread of n]', n, () => [...base], { size: 60 + 8 * n });
    row('[...Set of n]', n, () => [...new Set(range(1, n))], { delta: false });
    row('Array.from(Set of n)', n, () => Array.from(new Set(range(1, n))), { delta: false });
    row('concat n + 1', n, () => base.concat([shared]), { delta: false });
    row('JSON.parse array of n', n, F(['t'], 'return ()=>JSON.parse(t)')(JSON.stringify(new Array(n).fill('some longer text'))), { delta: false });
    row('split into n', n, F(['t'], 'return ()=>t.split(",")')(new Array(Math.max(1, n)).fill('abc').join(',')), { delta: false });
    row('Object.keys of n', n, F(['o'], 'return ()=>Object.keys(o)')(Object.fromEntries(names(n).map((k) => [k, 1]))), { delta: false });
    row('Object.values of n', n, F(['o'], 'return ()=>Object.values(o)')(Object.fromEntries(names(n).map((k) => [k, 1]))), { delta: false });
    row('Array.of / Array(...) of n', n, () => Array.of(...base), { delta: false });
    row('rest parameters of n', n, () => ((...a) => a)(...base), { delta: false });
  }
  for (const n of [...range(0, 100), 150, 200, 500, 1000]) {
    row('[] pushed n references', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); return a; }, { size: 60 + 14 * n, delta: n <= 40 });
    row('[] a[k]=reference for k<n', n, () => { const a = []; for (let k = 0; k < n; k++) a[k] = shared; return a; }, { delta: false });
    row('[] pushed n Smis', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(k); return a; }, { delta: false });
    row('[] pushed n doubles', n, (i) => { const a = []; for (let k = 0; k < n; k++) a.push(k + 0.5); return a; }, { size: 60 + 14 * n, delta: n <= 40 && n % 4 === 0 });
  }
  for (const n of [1, 2, 3, 4, 5, 8, 10, 16, 17, 20, 40]) {
    row('literal of n, then 1 pushed', n, F(['i'], `const a=[${names(n).map(() => 'i')}];a.push(i);return a`), { delta: false });
    row('new Array(n).fill, then 1 pushed', n, () => { const a = new Array(n).fill(shared); a.push(shared); return a; }, { delta: false });
    row('slice of n, then 1 pushed', n, F(['b'], 'return ()=>{const a=b.slice();a.push(1);return a}')(new Array(n).fill(shared)), { delta: false });
    row('pushed n, then 1 popped', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); a.pop(); return a; }, { delta: false });
    row('pushed n, then half popped', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); for (let k = 0; k < n / 2; k++) a.pop(); return a; }, { delta: false });
    row('pushed n, then all but 1 popped', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); for (let k = 1; k < n; k++) a.pop(); return a; }, { delta: false });
    row('pushed n, then all popped', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); for (let k = 0; k < n; k++) a.pop(); return a; }, { delta: false });
    row('pushed n, then 1 shifted', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); a.shift(); return a; }, { size: 60 + 14 * n });
    row('pushed n, then length = 1', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); a.length = 1; return a; }, { delta: false });
    row('pushed n, then splice(1)', n, () => { const a = []; for (let k = 0; k < n; k++) a.push(shared); a.splice(1); return a; }, { delta: false });
    row('unshift n', n, () => { const a = []; for (let k = 0; k < n; k++) a.unshift(shared); return a; }, { delta: false });
    row('array of n doubles, literal computed', n, F(['i'], `return [${names(n).map(() => 'i+0.5')}]`));
    row('a[n]=v on []', n, () => { const a = []; a[n] = shared; return a; }, { delta: false });
  }
  row('a[n]=v on []', 5000, () => { const a = []; a[5000] = shared; return a; }, { delta: false });
  row('array of 3 doubles, then a reference', null, (i) => { const a = [i + 0.1, i + 0.2, i + 0.3]; a[0] = shared; return a; });
  row('array with a named property', null, () => { const a = [shared]; a.extra = 1; return a; });
  row('subclass of Array, 3 pushed', null, F([], 'class A extends Array{};return ()=>{const a=new A();a.push(1,2,3);return a}')(), { delta: false });
  row('arguments object of n', 3, function () { return (function () { return arguments; })(1, 2, 3); });
  row('arguments object of n, strict', 3, F([], '"use strict";return ()=>(function(){return arguments})(1,2,3)')());
  row('arguments object of n, sloppy mapped', 3, F([], 'return ()=>(function(a,b){return arguments})(1,2,3)')());
  row('regexp match array', null, F(['t'], 'return ()=>t.match(/(b)(c)/)')('abcd' + Math.random()), { delta: false });
}

// ---- tables --------------------------------------------------------------------------------
function tables() {
  for (const n of [...range(0, 200), 256, 257, 512, 513, 1000, 1024, 1025]) {
    const some = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 64, 100, 128, 129, 200].includes(n);
    row('Map, n set', n, () => { const m = new Map(); for (let k = 0; k < n; k++) m.set(k, k); return m; }, { delta: some, size: 200 + 60 * n });
    row('Set, n added', n, () => { const m = new Set(); for (let k = 0; k < n; k++) m.add(k); return m; }, { delta: some, size: 200 + 40 * n });
    if (n <= 40 || n === 100) {
      const pairs = range(1, n).map((k) => [k, k]);
      row('new Map(array of n pairs)', n, () => new Map(pairs), { delta: false });
      row('new Set(array of n)', n, F(['a'], 'return ()=>new Set(a)')(range(1, n)), { delta: false });
      row('new Map(Map of n)', n, F(['a'], 'return ()=>new Map(a)')(new Map(pairs)), { delta: false });
      row('new Set(Set of n)', n, F(['a'], 'return ()=>new Set(a)')(new Set(range(1, n))), { delta: false });
      row('WeakMap, n set', n, () => { const m = new WeakMap(); m.keys = range(1, n).map(() => ({})); for (const k of m.keys) m.set(k, 1); return m; }, { delta: false });
    }
  }
  for (const n of [1, 2, 3, 4, 5, 8, 16, 17, 64, 100]) {
    row('Map, n set then all deleted', n, () => { const m = new Map(); for (let k = 0; k < n; k++) m.set(k, k); for (let k = 0; k < n; k++) m.delete(k); return m; });
    row('Map, n set then all but one deleted', n, () => { const m = new Map(); for (let k = 0; k < n; k++) m.set(k, k); for (let k = 1; k < n; k++) m.delete(k); return m; });
    row('Map, n set then cleared', n, () => { const m = new Map(); for (let k = 0; k < n; k++) m.set(k, k); m.clear(); return m; });
    row('Set, n added then all deleted', n, () => { const m = new Set(); for (let k = 0; k < n; k++) m.add(k); for (let k = 0; k < n; k++) m.delete(k); return m; });
    row('Map of n, 1000 times one deleted and one set', n, () => { const m = new Map(); for (let k = 0; k < n; k++) m.set(k, k); for (let k = 0; k < 1000; k++) { m.delete(k); m.set(k + n, 1); } return m; }, { delta: false });
  }
  row('WeakSet of 1', null, () => { const m = new WeakSet(); m.add(shared); return m; }, { count: 2000 });
  row('WeakMap, empty', null, () => new WeakMap(), { count: 2000 });
  row('WeakRef', null, () => new WeakRef(shared));
  row('object as a WeakMap key (identity hash)', null, F(['w'], 'return (i)=>{const o={a:i};w.has(o);return o}')(new WeakMap()));
  const inSet = new Set();
  row('object that was a Set key (identity hash)', null, (i) => { const o = { a: i }; inSet.add(o); inSet.delete(o); return o; });
  row('Map with object keys, 4 set', null, (i) => new Map([[{ a: i }, 1], [{ a: i }, 1], [{ a: i }, 1], [{ a: i }, 1]]));
  row('Map iterator', null, F(['m'], 'return ()=>m.entries()')(new Map([[1, 1]])));
  row('array iterator', null, F(['m'], 'return ()=>m[Symbol.iterator]()')([1]));
}

// ---- strings -------------------------------------------------------------------------------
const letters = Buffer.alloc(4096, 'abcdefghijklmnopqrstuvwxyz0123456789');
function fresh(len, i, enc) {
  const bytes = enc === 'ucs2' ? len * 2 : len;
  const b = Buffer.allocUnsafeSlow(Math.max(bytes, 8));
  if (enc === 'ucs2') for (let k = 0; k < len; k++) b.writeUInt16LE(0x400 + ((i >>> (k * 5)) & 31) + (k > 5 ? 64 : 0), k * 2);
  else for (let k = 0; k < len; k++) b[k] = 97 + (k < 6 ? (i >>> (k * 4)) & 15 : 16 + (k % 8));
  return b.toString(enc, 0, bytes);
}
function strings() {
  for (const len of [...range(0, 40), 63, 64, 65, 100, 128, 255, 256, 1000, 5000]) {
    row('one-byte string of n', len, (i) => fresh(len, i, 'latin1'), { size: 30 + len });
    row('two-byte string of n', len, (i) => fresh(len, i, 'ucs2'), { size: 30 + 2 * len });
  }
  for (const len of [1031912, 1031913, 1031914, 2000000]) {
    row('one-byte string of n', len, () => Buffer.alloc(len, 'x').toString('latin1'), { count: 8 });
    row('two-byte string of n', len / 2 | 0, () => Buffer.alloc(len & ~1, 'x\u0400', 'ucs2').toString('ucs2'), { count: 8 });
  }
  const parent = letters.toString('latin1');
  for (const len of [1, 2, 3, 10, 11, 12, 13, 14, 15, 16, 20, 40]) {
    row('slice of n from a flat string', len, (i) => parent.slice(1 + (i % 30), 1 + (i % 30) + len), { count: 4000 });
    row('slice of n, own parent of 200', len, (i) => fresh(200, i, 'latin1').slice(3, 3 + len), { count: 4000 });
    row('join by + to n', len, (i) => { const a = fresh(Math.max(1, len >> 1), i, 'latin1'); return a + fresh(Math.max(1, len - a.length), i + 1, 'latin1'); }, { count: 4000 });
    row('template literal to n', len, (i) => `${fresh(Math.max(1, len - 1), i, 'latin1')}!`, { count: 4000 });
    row('key use internalizes: flat string of n', len, (i) => { const s = fresh(len, i, 'latin1'); shared[s]; return s; }, { count: 4000 });
    row('JSON.parse string value of n', len, F(['fresh'], `return (i)=>JSON.parse('["'+fresh(${len},i,'latin1')+'"]')[0]`)(fresh), { count: 4000 });
    row('JSON.parse two-byte string value of n', len, F(['fresh'], `return (i)=>JSON.parse('["'+fresh(${len},i,'ucs2')+'"]')[0]`)(fresh), { count: 4000 });
    row('JSON.parse escaped string value of n', len, F(['fresh'], `return (i)=>JSON.parse('["'+fresh(${len - 1},i,'latin1')+'\\\\n"]')[0]`)(fresh), { count: 4000 });
  }
  row('number to string, 5 digits', null, (i) => String(10000 + (i % 90000)));
  row('number to string, double', null, (i) => String(i + 0.25));
  row('(x).toFixed(2)', null, (i) => (i + 0.25).toFixed(2));
  row('toString(16)', null, (i) => (i + 1e6).toString(16));
  row('cons flattened', null, (i) => { const s = fresh(20, i, 'latin1') + fresh(20, i + 1, 'latin1'); shared[s]; return s; }, { count: 4000 });
  row('cons flattened by charCodeAt', null, (i) => { const s = fresh(20, i, 'latin1') + fresh(20, i + 1, 'latin1'); s.charCodeAt(25); return s; }, { count: 4000 });
  row('cons flattened by Number()', null, (i) => { const s = fresh(20, i, 'latin1') + fresh(20, i + 1, 'latin1'); Number(s); return s; }, { count: 4000 });
  row('symbol with description', null, () => Symbol(sharedText));
  row('symbol without description', null, () => Symbol());
}

// ---- buffers -------------------------------------------------------------------------------
function buffers() {
  for (const n of [0, 1, 7, 8, 9, 12, 16, 24, 32, 63, 64, 65, 80, 100, 1000, 4095, 4096, 5000, 10000]) {
    const size = 200 + n;
    row('new Uint8Array(n)', n, () => new Uint8Array(n), { size });
    row('new Float64Array(n/8)', n, () => new Float64Array(n >> 3), { size });
    row('new ArrayBuffer(n)', n, () => new ArrayBuffer(n), { size });
    row('new Uint8Array(new ArrayBuffer(n))', n, () => new Uint8Array(new ArrayBuffer(n)), { size });
    row('Buffer.alloc(n)', n, () => Buffer.alloc(n), { size });
    row('Buffer.allocUnsafe(n)', n, () => Buffer.allocUnsafe(n), { size });
    row('Buffer.allocUnsafeSlow(n)', n, () => Buffer.allocUnsafeSlow(n), { size });
    const text = 'x'.repeat(n);
    row('Buffer.from(text of n)', n, () => Buffer.from(text), { size });
    const bytes = [...Buffer.from(text)];
    row('Buffer.from(array of n)', n, () => Buffer.from(bytes), { size });
    const buf = Buffer.from(text);
    row('Buffer.from(buffer of n)', n, () => Buffer.from(buf), { size });
    row('Buffer.concat to n', n, () => Buffer.concat([buf]), { size, count: 2000 });
    const ab = new ArrayBuffer(n);
    row('Buffer.from(shared ArrayBuffer of n)', n, () => Buffer.from(ab), { size });
    row('Uint8Array.from / of array', n, () => Uint8Array.from(bytes), { size, delta: n < 100 });
    row('uint8.slice()', n, F(['b'], 'return ()=>b.slice()')(new Uint8Array(n)), { size });
    row('subarray', n, () => buf.subarray(0, n), { size });
    row('new SharedArrayBuffer(n)', n, () => new SharedArrayBuffer(n), { size, count: 500 });
  }
  const ab = new ArrayBuffer(100);
  row('DataView on a shared buffer', null, () => new DataView(ab));
  row('DataView with its own 16', null, () => new DataView(new ArrayBuffer(16)), { count: 4000 });
  row('small Uint8Array(12), .buffer asked', null, () => { const u = new Uint8Array(12); u.buffer; return u; }, { count: 4000 });
  row('resizable ArrayBuffer(10,{maxByteLength:100})', null, () => new ArrayBuffer(10, { maxByteLength: 100 }), { count: 400 });
}

// ---- the rest ------------------------------------------------------------------------------
function rest() {
  row('Date', null, (i) => new Date(1.7e12 + i));
  row('Date, Smi value', null, (i) => new Date(i));
  row('Date, read (cached fields)', null, (i) => { const d = new Date(1.7e12 + i * 1e3); d.getHours(); d.getDate(); return d; });
  row('Date, invalid', null, () => new Date(NaN));
  for (const n of range(0, 6)) {
    const ps = names(n);
    row('arrow capturing n variables of one call', n, F(ps, `return ()=>[${ps}]`).bind(null, ...ps.map(() => shared)));
    row('2 arrows sharing a context of n', n, F(ps, `const a=()=>[${ps}];const b=()=>[${ps}];return [a,b]`).bind(null, ...ps.map(() => shared)));
  }
  row('function expression', null, () => function () {});
  row('arrow', null, () => () => {});
  row('async arrow', null, () => async () => {});
  row('async function', null, () => async function () {});
  row('generator function', null, () => function* () {});
  row('method of a literal', null, () => ({ m() {} }));
  row('class expression, empty', null, () => class {}, { count: 2000 });
  row('function, prototype touched', null, () => { const f = function () {}; f.prototype.x = 1; return f; }, { count: 2000 });
  row('function, constructed once', null, () => { const f = function () {}; new f(); return f; }, { count: 2000 });
  const named = function named() {};
  row('bound function', null, () => named.bind(shared));
  row('bound function, 2 arguments', null, () => named.bind(shared, 1, 2));
  row('Promise, resolved', null, () => Promise.resolve(sharedText + 1));
  row('Promise, pending', null, () => new Promise(() => {}));
  row('Promise, pending, 1 then', null, () => { const p = new Promise(() => {}); p.then(isNaN); return p; });
  const genf = function* () { yield 1; };
  row('generator object', null, () => { const g = genf(); g.next(); return g; });
  const genf5 = function* (a, b) { let c = 1, d = 2; yield a + b + c + d; };
  row('generator object, 2 parameters and 2 locals', null, () => { const g = genf5(1, 2); g.next(); return g; });
  row('RegExp literal', null, () => /ab+c/g);
  row('RegExp literal, run', null, () => { const r = /ab+c/g; r.test('xabc'); return r; });
  row('new RegExp(own source)', null, (i) => new RegExp('ab+c' + i), { count: 2000 });
  row('Error', null, () => new Error(sharedText), { count: 4000 });
  row('Error, stack read', null, () => { const e = new Error(sharedText); e.stack; return e; }, { count: 2000 });
  row('Error, stackTraceLimit 0', null, () => { const l = Error.stackTraceLimit; Error.stackTraceLimit = 0; const e = new Error(sharedText); Error.stackTraceLimit = l; return e; }, { count: 4000 });
  row('Proxy', null, () => new Proxy(shared, shared));
  row('URL', null, () => new URL('http://example.org/a'), { count: 2000 });
  row('URLSearchParams', null, () => new URLSearchParams('a=1'), { count: 2000 });
  const EventEmitter = require('node:events');
  row('EventEmitter', null, () => new EventEmitter());
  row('EventEmitter, 1 listener', null, () => { const e = new EventEmitter(); e.on('x', isNaN); return e; });
  row('AbortController', null, () => new AbortController(), { count: 1000 });
}

// ---- hidden classes ------------------------------------------------------------------------
// One hidden class per object: what does a shape of n fields cost beside the object itself?
function shapes() {
  for (const n of [1, 2, 3, 5, 8, 10, 16, 17, 20, 30]) {
    row('shape: own prototype, n fields', n, F([], `const k=${JSON.stringify(names(n))};return (i)=>{const o=Object.create({});for(const x of k)o[x]=i;return o}`)(), { count: 1000 });
    row('shape: a class of its own, n fields', n, F([], `return ()=>{class K{constructor(v){${names(n).map((k) => `this.${k}=v`).join(';')}}};return new K(1)}`)(), { count: 500 });
    row('shape: literal of n, then a key of its own', n, F(['i'], `const o={${names(n).map((k) => `${k}:i`)}};o['own'+i]=1;return o`), { count: 1000 });
  }
}

// ---- the snapshot --------------------------------------------------------------------------
function snapshot(numeric) {
  const file = path.join(os.tmpdir(), `deadweight-layout-${process.pid}.heapsnapshot`);
  settle();
  v8.writeHeapSnapshot(file, numeric ? { exposeNumericValues: true } : undefined);
  const j = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.unlinkSync(file);
  const { meta } = j.snapshot;
  const nf = meta.node_fields, ef = meta.edge_fields;
  const types = meta.node_types[nf.indexOf('type')], etypes = meta.edge_types[0];
  const W = nf.length, E = ef.length, n = j.nodes.length / W;
  const at = (f) => nf.indexOf(f);
  const [iT, iN, iS, iE] = [at('type'), at('name'), at('self_size'), at('edge_count')];
  const first = new Uint32Array(n + 1);
  for (let i = 0, a = 0; i < n; i++) { first[i] = a; a += j.nodes[i * W + iE]; first[i + 1] = a; }
  return {
    n, first,
    type: (i) => types[j.nodes[i * W + iT]], name: (i) => j.strings[j.nodes[i * W + iN]], self: (i) => j.nodes[i * W + iS],
    etype: (e) => etypes[j.edges[e * E]], to: (e) => j.edges[e * E + 2] / W,
    ename: (e) => { const t = etypes[j.edges[e * E]]; const x = j.edges[e * E + 1]; return t === 'element' || t === 'hidden' ? x : j.strings[x]; },
  };
}

function weigh(s) {
  let list = -1;
  for (let i = 0; i < s.n && list < 0; i++) {
    if (s.type(i) !== 'object' || s.name(i) !== 'DeadweightExemplars') continue;
    for (let e = s.first[i]; e < s.first[i + 1]; e++) if (s.ename(e) === 'list') list = s.to(e);
  }
  let store = -1;
  const roots = new Map();
  for (let e = s.first[list]; e < s.first[list + 1]; e++) {
    if (s.etype(e) === 'element') roots.set(s.ename(e), s.to(e));
    if (s.etype(e) === 'internal' && s.ename(e) === 'elements') store = s.to(e);
  }
  const stop = new Set([list, store, ...roots.values()]);
  const seen = new Uint8Array(s.n);
  const stack = [0];
  seen[0] = 1;
  while (stack.length) {
    const i = stack.pop();
    if (stop.has(i)) continue;
    for (let e = s.first[i]; e < s.first[i + 1]; e++) {
      const to = s.to(e);
      if (s.etype(e) === 'weak' || seen[to] || stop.has(to)) continue;
      seen[to] = 1;
      stack.push(to);
    }
  }
  const isShape = (i) => s.type(i) === 'object shape' || (s.type(i) === 'hidden' && /^system \/ (Map|DescriptorArray|TransitionArray|PrototypeInfo|EnumCache|WeakArrayList|Cell)/.test(s.name(i)));
  for (const r of rows) {
    if (r.exemplar === undefined) continue;
    const top = roots.get(r.exemplar);
    delete r.exemplar;
    if (top === undefined) continue;
    r.self = s.self(top);
    r.node = `${s.type(top)}:${s.name(top).slice(0, 40)}`;
    if (seen[top]) { r.shared = true; continue; }
    // A node reached through a hidden class or a code object belongs to it; prototypes are shared.
    const mine = new Map([[top, 'own']]), todo = [top];
    r.own = 0; r.shape = 0; r.code = 0; r.off_heap = 0;
    const parts = {};
    while (todo.length) {
      const i = todo.pop();
      const where = mine.get(i);
      r[where] += s.self(i);
      for (let e = s.first[i]; e < s.first[i + 1]; e++) {
        const to = s.to(e);
        if (s.etype(e) === 'weak' || seen[to] || mine.has(to) || stop.has(to)) continue;
        if (s.etype(e) === 'property' && (s.ename(e) === '__proto__' || s.ename(e) === 'constructor')) continue;
        mine.set(to, where !== 'own' ? where : s.type(to) === 'native' ? 'off_heap' : isShape(to) ? 'shape' : s.type(to) === 'code' ? 'code' : 'own');
        if (where === 'own') todo.push(to); else todo.unshift(to);
        if (mine.get(to) !== 'own' && mine.get(to) !== 'off_heap') continue;
        const key = `${s.etype(e)}:${s.etype(e) === 'internal' || s.etype(e) === 'context' ? s.ename(e) : '*'}>${s.type(to)}:${s.type(to) === 'string' ? '*' : s.name(to).slice(0, 40)}`;
        parts[key] = (parts[key] || 0) + s.self(to);
      }
    }
    if (Object.keys(parts).length) r.parts = parts;
  }
}

const started = Date.now();
const groups = { objects, numbers, arrays, tables, strings, buffers, rest, shapes };
for (const [name, f] of Object.entries(groups)) { const t = Date.now(); f(); process.stderr.write(`${name} ${Date.now() - t} ms\n`); }
weigh(snapshot(true));
process.stdout.write(JSON.stringify({ node: process.version, v8: process.versions.v8, arch: process.arch, pool: Buffer.poolSize, milliseconds: Date.now() - started, rows }) + '\n');
