'use strict';

// What a capture says.

const assert = require('node:assert');
const { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { it } = require('node:test');
const { everyNode, run, rows, major } = require('./host.cjs');

const SNAPSHOT = { env: { DEADWEIGHT_SNAPSHOT: '1' } };

// The nodes in one of the probe's lists, in order.
function listed(nodes, name) {
  const holders = nodes.filter((node) => node.name === 'DeadweightProbe' && node.edges.some(({ label }) => label === name));
  assert.strictEqual(holders.length, 1);
  const list = nodes[holders[0].edges.find(({ label }) => label === name).to];
  const elements = list.edges.filter(({ type }) => type === 'element').sort((a, b) => a.name - b.name);
  assert.deepStrictEqual(elements.map((element) => element.name), elements.map((_, index) => index));
  return elements.map(({ to }) => nodes[to]);
}

function counts(capture, name) {
  return JSON.parse(readFileSync(join(capture.path, capture.record[name].file), 'utf8'));
}

// Counts by the field of `kept` whose value they are of.
function countsByField(capture, name) {
  const { nodes } = readSnapshot(capture);
  const numbers = counts(capture, name);
  const list = listed(nodes, name);
  assert.strictEqual(list.length, numbers.length);
  assert.strictEqual(capture.record[name].count, numbers.length);
  const kept = nodes.find((node) => node.name === 'Kept' && node.edges.some(({ label }) => label === 'mark'));
  const fields = kept.edges.filter(({ type }) => type === 'property').map(({ label, to }) => [label, list.indexOf(nodes[to])]);
  return Object.fromEntries(fields.filter(([, index]) => index >= 0).map(([label, index]) => [label, numbers[index]]));
}

const CONTAINERS = `
  class Kept {}
  class Registry extends Map { get size() { throw new Error('of the program'); } }
  const numbers = (n) => Array.from({ length: n }, (_, i) => i);
  const pushed = (...values) => { const a = []; for (const v of values) a.push(v); return a; };
  globalThis.kept = Object.assign(new Kept(), {
    mark: {},
    noMap: new Map(), map: new Map([[1, 2], [3, 4]]), shrunk: new Map(numbers(9).map((i) => [i, i])),
    noSet: new Set(), set: new Set([1, true, null]), sub: new Registry(numbers(40).map((i) => [i, {}])),
    noArray: [], emptied: pushed(1, 2), smis: pushed(1, 2, 3), doubles: pushed(0.5, 1.5), gap: [, 1], long: numbers(20000),
    objects: pushed({}, 1), subArray: (class List extends Array {}).from(numbers(5)),
    proxy: new Proxy([1], { get() { throw new Error('of the program'); } }),
  });
  for (let i = 2; i < 9; i++) kept.shrunk.delete(i);
  kept.emptied.length = 0;
  Object.defineProperty(Map.prototype, 'size', { get() { throw new Error('of the program'); } });
  Object.defineProperty(Set.prototype, 'size', { get() { throw new Error('of the program'); } });`;

const TEXTS = `
  const line = Buffer.from('x'.repeat(1000)).toString();
  const cut = (length) => line.slice(1, 1 + length);
  const no = () => { throw new Error('of the program'); };
  class Kept {}
  globalThis.kept = Object.assign(new Kept(), {
    mark: {}, short: cut(12), least: cut(13), field: cut(50), list: ['', cut(51), 7, cut(52)], numbers: [1, 2, 3],
    map: new Map([[cut(53), cut(54)], [1, {}]]), set: new Set([cut(55), 2]),
    joined: cut(20) + cut(40),
    proxy: new Proxy({ a: 1 }, { ownKeys: no, get: no, getOwnPropertyDescriptor: no }),
    gets: { get a() { return no(); } }, error: new Error('an error of the program'),
    instance: new (class { #hidden = 1; own = cut(56); get a() { return no(); } })(),
    sub: Object.assign(new (class extends Map { forEach() { no(); } })(), { x: 1 }).set('key', cut(57)),
    caught: (() => { const it = {}; Error.captureStackTrace(it); return it; })(),
  });
  Error.prepareStackTrace = no;
  Map.prototype.forEach = no;
  Set.prototype.forEach = no;`;

function readSnapshot(capture) {
  const graph = JSON.parse(readFileSync(join(capture.path, 'heap.heapsnapshot'), 'utf8'));
  const { node_fields: fields, node_types: types, edge_fields: edgeFields } = graph.snapshot.meta;
  const at = Object.fromEntries(fields.map((name, index) => [name, index]));
  const nodes = [];
  let edge = 0;
  for (let n = 0; n < graph.nodes.length; n += fields.length) {
    const edges = [];
    for (let e = 0; e < graph.nodes[n + at.edge_count]; e++, edge += edgeFields.length) {
      const [type, name, to] = graph.edges.slice(edge, edge + 3);
      edges.push({ type: graph.snapshot.meta.edge_types[0][type], name, label: graph.strings[name], to: to / fields.length });
    }
    nodes.push({
      type: types[0][graph.nodes[n]],
      name: graph.strings[graph.nodes[n + at.name]],
      size: graph.nodes[n + at.self_size],
      edges,
    });
  }
  return { nodes, strings: graph.strings };
}

const BUFFERS = `
  globalThis.kept = {
    zeros: Buffer.alloc(1_000_003),
    half: (() => { const b = Buffer.alloc(8192 * 2); b.fill(7, 8192); return b; })(),
    twins: [Buffer.alloc(70_001, 'same'), Buffer.alloc(70_001, 'same'), Buffer.alloc(70_001, 'sane')],
    shared: new SharedArrayBuffer(640),
    doubles: new Float64Array([1, 0, -0, 2, 0]),
    slices: Array.from({ length: 3 }, (_, i) => Buffer.from('slice ' + i)),
    tiny: new Uint8Array(3),
    dataview: new DataView(new ArrayBuffer(4100)),
  };
  kept.dataview.setUint8(4099, 1);
  kept.twins[2][0] = 1;`;

everyNode('a capture', (node) => {
  it('counts no memory as the program\'s that looking at its buffers takes', async () => {
    const source = 'globalThis.kept = Array.from({ length: 500000 }, () => ({ bytes: Uint8Array.of(1, 2, 3) }))';
    const { captures: [{ record }] } = await run(node, source, SNAPSHOT);
    const { rss, rss_peak: peak } = record.process;
    // Collecting the garbage itself takes a little.
    assert.ok(rss <= 1.1 * peak, `${rss} bytes resident, where ${peak} were the most before`);
  });

  it('tells the totals, and the sum of the snapshot agrees with them', async () => {
    const source = 'globalThis.kept = Array.from({ length: 400000 }, (_, i) => ({ a: [i], b: i + 0.5, c: `text ${i}` }))';
    const { stderr, captures: [capture] } = await run(node, source, SNAPSHOT);
    assert.strictEqual(stderr, '');
    const { record } = capture;
    assert.strictEqual(record.schema, 'deadweight/capture/1');
    assert.strictEqual(record.process.reason, 'exit');
    assert.ok(record.process.heap_spaces.some(({ name, used }) => name === 'old_space' && used > 10e6));
    if (process.platform === 'linux') assert.ok(record.process.smaps.rss > 10e6);
    const { nodes } = readSnapshot(capture);
    let sum = 0;
    for (const { type, name, size } of nodes) {
      // Node 22 works out line ends while it writes the snapshot; from Node 24 on external text, which heapUsed
      // does not count, has its size.
      const builtin = type === 'string' && size > 1000 && size > 2 * name.length - 100 ? 0 : size;
      if (type !== 'native' && name !== '(script line ends)') sum += major(capture) >= 24 ? builtin : size;
    }
    const off = Math.abs(sum - record.process.heap_used) / record.process.heap_used;
    const bound = major(capture) >= 24 ? 0.03 : 0.01;
    assert.ok(off < bound, `${sum} against ${record.process.heap_used}`);
  });

  it('leaves nothing behind by looking: no library that was not loaded, no lists of names', async () => {
    // Without compiled code: what V8 compiles while it looks is 0.4 MB in some runs and nothing in others.
    const flags = ['--no-opt', '--no-sparkplug'];
    const used = async (source, env) =>
      (await run(node, source, { flags, env: { ...SNAPSHOT.env, ...env } })).captures[0].record.process.heap_used;
    const own = "globalThis.kept = Array.from({ length: 20000 }, (_, i) => ({ ['a' + i]: 1, b: 2, c: 3, d: 4, e: 5, f: 'a short text' }))";
    for (const source of ['globalThis.kept = []', own]) {
      const grown = (await used(source, {})) - (await used(source, { DEADWEIGHT_PROBE_TEXTS: '0' }));
      assert.ok(grown < 400_000, `${grown} bytes: ${source}`);
    }
  });

  it('gives the settled heap without a snapshot', async () => {
    const { captures: [{ record }] } = await run(node, 'for (let i = 0; i < 1e6; i++) ({ i, s: `${i}` })');
    assert.strictEqual(record.snapshot, null);
    assert.strictEqual(record.buffers, null);
    assert.ok(record.process.heap_used < 8e6, String(record.process.heap_used));
  });

  it('has strings beyond the usual 1024 units, up to the limit it names', async () => {
    const source = "globalThis.kept = ['x', 'y'].map((end) => Buffer.alloc(60000, 'q').toString() + end).map((s) => JSON.parse(JSON.stringify(s)))";
    for (const limit of [20000, 1048576]) {
      const env = { DEADWEIGHT_SNAPSHOT: '1', DEADWEIGHT_STRING_LIMIT: String(limit) };
      const { captures: [capture] } = await run(node, source, { env });
      assert.strictEqual(capture.record.snapshot.string_limit, limit);
      const lengths = readSnapshot(capture).strings.filter((text) => /^q+[xy]?$/.test(text)).map((text) => text.length);
      assert.strictEqual(Math.max(...lengths), Math.min(limit, 60001));
    }
  });

  it('has the numbers in fields', async () => {
    const source = 'class Kept { constructor() { this.smi = 4711; this.double = 2.25; } } globalThis.kept = new Kept()';
    const { captures: [capture] } = await run(node, source, SNAPSHOT);
    const { nodes } = readSnapshot(capture);
    const kept = nodes.find(({ name, edges }) => name === 'Kept' && edges.some(({ label }) => label === 'smi'));
    const value = (field) => {
      const number = nodes[kept.edges.find(({ type, label }) => type === 'property' && label === field).to];
      return nodes[number.edges.find(({ label }) => label === 'value').to].name;
    };
    assert.deepStrictEqual([value('smi'), value('double')], ['4711', '2.25']);
  });

  it('scans the buffers, and its rows match the elements of the probe in the snapshot', async () => {
    const { stderr, captures: [capture] } = await run(node, BUFFERS, SNAPSHOT);
    assert.strictEqual(stderr, '');
    const { buffers } = capture.record;
    const found = rows(capture);
    assert.strictEqual(buffers.complete, true);
    assert.strictEqual(buffers.count, found.length);
    assert.deepStrictEqual(found.map(({ index }) => index), found.map((_, index) => index));

    const of = (bytes) => found.filter((row) => row.bytes === bytes);
    const [zeros] = of(1_000_003);
    assert.deepStrictEqual(
      [zeros.zero_bytes, zeros.nonzero_words, zeros.zero_page_bytes, zeros.zero_lines],
      [1_000_003, 0, 1_000_003, Math.ceil(1_000_003 / 64)],
    );
    const [half] = of(16384);
    assert.deepStrictEqual(
      [half.zero_bytes, half.nonzero_words, half.zero_page_bytes, half.zero_lines],
      [8192, 1024, 8192, 128],
    );
    const twins = of(70_001);
    assert.strictEqual(twins.length, 3);
    assert.strictEqual(new Set(twins.map(({ hash }) => hash)).size, 2);
    assert.ok(twins.every(({ hash }) => /^[0-9a-f]{16}$/.test(hash)));
    const [shared] = of(640).filter((row) => row.shared);
    assert.deepStrictEqual([shared.zero_bytes, shared.zero_lines], [640, 10]);
    const [view] = of(4100);
    assert.deepStrictEqual([view.zero_bytes, view.nonzero_words, view.zero_page_bytes, view.zero_lines], [4099, 1, 4096, 64]);

    const { nodes } = readSnapshot(capture);
    const list = listed(nodes, 'buffers');
    assert.strictEqual(list.length, found.length);
    for (const [index, buffer] of list.entries()) {
      const store = buffer.edges.find(({ label }) => label === 'backing_store');
      assert.ok(['ArrayBuffer', 'SharedArrayBuffer'].includes(buffer.name), buffer.name);
      if (store) assert.strictEqual(nodes[store.to].size, found[index].bytes);
    }
    const pool = found.filter(({ bytes }) => bytes === 8192 || bytes === 65536);
    assert.ok(pool.length >= 1, 'the pool of the three slices');
  });

  it('stops the probe when its time is up, and says so', async () => {
    const env = { DEADWEIGHT_SNAPSHOT: '1', DEADWEIGHT_PROBE_MS: '0.001' };
    const { captures: [capture] } = await run(node, BUFFERS, { env });
    const { buffers } = capture.record;
    assert.strictEqual(buffers.complete, false);
    assert.ok(buffers.count < buffers.found);
    assert.strictEqual(rows(capture).length, buffers.count);
  });

  it('counts the entries of maps and sets and the lengths of arrays that the snapshot does not show', async () => {
    const { code, stderr, captures: [capture] } = await run(node, CONTAINERS, SNAPSHOT);
    assert.deepStrictEqual([code, stderr], [0, '']);
    const { tables, arrays, buffers } = capture.record;
    assert.deepStrictEqual([tables.complete, arrays.complete], [true, true]);
    assert.ok(tables.walk_seconds > 0 && tables.walk_seconds === buffers.walk_seconds);
    assert.deepStrictEqual(countsByField(capture, 'tables'), { noMap: 0, map: 2, shrunk: 2, noSet: 0, set: 3, sub: 40 });
    const lengths = { noArray: 0, emptied: 0, smis: 3, doubles: 2, gap: 2, long: 20000, subArray: 5 };
    assert.deepStrictEqual(countsByField(capture, 'arrays'), lengths);
  });

  it('writes long lists of counts in several lines', async () => {
    const source = 'globalThis.kept = Array.from({ length: 20000 }, (_, i) => new Set(i % 2 ? [i] : []))';
    const { captures: [capture] } = await run(node, source, SNAPSHOT);
    const numbers = counts(capture, 'tables');
    assert.strictEqual(capture.record.tables.count, numbers.length);
    assert.ok(numbers.filter((n) => n === 1).length >= 10000 && numbers.filter((n) => n === 0).length >= 10000);
    assert.ok(readFileSync(join(capture.path, 'tables.json'), 'utf8').split('\n').length >= 3);
  });

  it('leaves the containers alone with DEADWEIGHT_PROBE_TABLES=0, and the buffers with DEADWEIGHT_PROBE_MS=0', async () => {
    const probed = async (env) => {
      const { captures: [{ record }] } = await run(node, '', { env: { DEADWEIGHT_SNAPSHOT: '1', ...env } });
      return ['buffers', 'tables', 'arrays', 'texts'].filter((name) => record[name] !== null);
    };
    assert.deepStrictEqual(await probed({ DEADWEIGHT_PROBE_TABLES: '0' }), ['buffers']);
    assert.deepStrictEqual(await probed({ DEADWEIGHT_PROBE_MS: '0' }), ['tables', 'arrays', 'texts']);
    const withoutTexts = { DEADWEIGHT_PROBE_MS: '0', DEADWEIGHT_PROBE_TEXTS: '0' };
    assert.deepStrictEqual(await probed(withoutTexts), ['tables', 'arrays']);
    assert.deepStrictEqual(await probed({ DEADWEIGHT_PROBE_MS: '0', DEADWEIGHT_PROBE_TABLES: '0' }), []);
    assert.deepStrictEqual(await probed({ DEADWEIGHT_SNAPSHOT: '0' }), []);
  });

  it('records the lengths of strings in fields, elements and entries, and runs no line of the program for it', async () => {
    const { code, stderr, captures: [capture] } = await run(node, TEXTS, SNAPSHOT);
    assert.deepStrictEqual([code, stderr], [0, '']);
    const { nodes } = readSnapshot(capture);
    const lengths = counts(capture, 'texts');
    const list = listed(nodes, 'texts');
    assert.strictEqual(list.length, lengths.length);
    assert.strictEqual(capture.record.texts.complete, true);
    // Some of the engine's own strings are slices, too.
    const parent = ({ edges }) => nodes[edges.find(({ label }) => label === 'parent').to].name;
    const isOurs = (text) => text.type === 'sliced string' && parent(text).startsWith('xxx');
    const slices = lengths.filter((_, index) => isOurs(list[index])).sort((a, b) => a - b);
    assert.deepStrictEqual(slices, [13, 50, 51, 52, 53, 54, 55, 56, 57]);
    assert.ok(lengths.every((length) => length >= 13));
    // A look at its characters would have made the joined string a flat one.
    assert.ok(list.some(({ type }, index) => type === 'concatenated string' && lengths[index] === 60));
  });

  it('says which strings are equal, and makes no joined string flat before the snapshot is taken', async () => {
    const source = `
      const line = Buffer.from('x'.repeat(200) + 'y'.repeat(200)).toString();
      const no = () => { throw new Error('of the program'); };
      globalThis.kept = [line.slice(0, 93), line.slice(250, 343), line.slice(10, 103), line.slice(200, 293), line.slice(150, 243),
        line.slice(0, 60) + line.slice(20, 53), line.slice(0, 60) + line.slice(20, 53), line.slice(0, 301), line.slice(1, 302)];
      Map.prototype.get = no;
      Map.prototype.set = no;
      process.kill(process.pid, 'SIGUSR2');
      setTimeout(() => {}, 500);`;
    const { code, stderr, captures: [going, capture] } = await run(node, source, SNAPSHOT);
    assert.deepStrictEqual([code, stderr], [0, '']);
    // Joined strings become flat when they are compared: those of a program that goes on are left as they are.
    assert.deepStrictEqual([going.record.equal, going.record.process.reason, capture.record.process.reason], [null, 'signal', 'exit']);
    const { nodes } = readSnapshot(capture);
    const list = listed(nodes, 'texts');
    const lengths = counts(capture, 'texts');
    const firsts = counts(capture, 'equal');
    assert.strictEqual(firsts.length, lengths.length);
    const of = (length, type) => firsts.filter((_, i) => lengths[i] === length && list[i].type === type);
    const slices = of(93, 'sliced string');
    assert.deepStrictEqual([slices.length, new Set(slices).size], [5, 3]);
    const joined = of(93, 'concatenated string');
    assert.deepStrictEqual([joined.length, new Set([...joined, ...slices]).size], [2, 3]);
    // Those of more than 256 units are not compared.
    assert.deepStrictEqual(firsts.filter((_, i) => lengths[i] === 301), [0xffffffff, 0xffffffff]);
  });

  it('takes an even sample of many strings', async () => {
    const source = `
      const line = Buffer.from('x'.repeat(200)).toString();
      globalThis.kept = { long: [], rows: [] };
      for (let i = 0; i < 300000; i++) kept.long.push(line.slice(0, i < 150000 ? 20 : 40));
      for (let i = 0; i < 30000; i++) kept.rows.push({ a: line.slice(0, 60), b: line.slice(0, 80) });`;
    const { captures: [capture] } = await run(node, source, SNAPSHOT);
    const lengths = counts(capture, 'texts');
    const of = (n) => lengths.filter((length) => length === n).length;
    assert.strictEqual(capture.record.texts.complete, false);
    assert.ok(lengths.length <= 262144 && lengths.length > 30000, String(lengths.length));
    const close = (a, b) => assert.ok(Math.abs(a / b - 1) < 0.1, `${a} ${b}`);
    close(of(20), of(40));
    close(of(60), of(80));
    close(of(20) / of(60), 5);
  });

  it('keeps nothing alive afterwards', async () => {
    const source = `
      let big = Buffer.alloc(50e6, 1);
      process.kill(process.pid, 'SIGUSR2');
      setTimeout(() => { big = null; }, 1500);
      setTimeout(() => {}, 1600);`;
    const { captures } = await run(node, source, SNAPSHOT);
    assert.deepStrictEqual(captures.map(({ record }) => record.process.reason), ['signal', 'exit']);
    assert.ok(captures[0].record.process.array_buffers > 50e6);
    assert.ok(captures[1].record.process.array_buffers < 10e6);
    assert.strictEqual(captures[1].record.process.contexts, captures[0].record.process.contexts);
  });
});

everyNode('a snapshot that goes elsewhere', (node) => {
  function somewhere(links) {
    const home = mkdtempSync(join(tmpdir(), 'deadweight streams '));
    const streams = join(home, 'streams');
    mkdirSync(streams);
    const there = Array.from({ length: links }, (_, number) => join(home, `there-${number}`));
    for (const [number, path] of there.entries()) {
      writeFileSync(path, '');
      symlinkSync(path, join(streams, String(number)));
    }
    return { home, streams, there };
  }

  it('is where a link leads, and the link is taken', async () => {
    const { home, streams, there } = somewhere(2);
    const { captures } = await run(node, 'process.title', { env: { ...SNAPSHOT.env, DEADWEIGHT_STREAMS: streams } });
    const [capture] = captures;
    assert.strictEqual(capture.record.snapshot.streamed, true);
    assert.ok(lstatSync(join(capture.path, 'heap.heapsnapshot')).isSymbolicLink());
    const written = there.filter((path) => statSync(path).size > 0);
    assert.deepStrictEqual(written.map((path) => statSync(path).size), [capture.record.snapshot.bytes]);
    JSON.parse(readFileSync(written[0], 'utf8'));
    assert.strictEqual(readdirSync(streams).length, 1);
    rmSync(home, { recursive: true });
  });

  it('is not taken without a link that is left, and that is told', async () => {
    const { home, streams } = somewhere(0);
    const ended = await run(node, 'process.title', { env: { ...SNAPSHOT.env, DEADWEIGHT_STREAMS: streams } });
    assert.match(ended.stderr, /no room was left for one more snapshot in memory; only the totals are written/);
    assert.strictEqual(ended.captures[0].record.snapshot, null);
    assert.match(ended.captures[0].record.no_snapshot, /no room was left/);
    rmSync(home, { recursive: true });
  });
});
