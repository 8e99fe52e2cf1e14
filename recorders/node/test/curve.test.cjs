'use strict';

// What is held over time, and the moment at which that is most.

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { it } = require('node:test');
const { everyNode, run, temporary } = require('./host.cjs');

// Holds much in a local variable, computes with it, and lets it go, without a turn of the event loop.
const BATCH = `
  function work() {
    const kept = [];
    for (let i = 0; i < 300000; i++) kept.push({ i, text: ['row', i].join(' ') });
    let sum = 0;
    for (const until = Date.now() + 600; Date.now() < until; ) for (const { i } of kept) sum += i;
    return sum;
  }
  work();`;

const curveOf = ({ path, record }) => JSON.parse(readFileSync(join(path, record.curve), 'utf8'));

everyNode('the curve', (node) => {
  it('a program that let its data go was higher before', async () => {
    const { captures, stderr } = await run(node, BATCH);
    assert.strictEqual(stderr, '');
    const { schema, of, highest, captured, points } = curveOf(captures[0]);
    assert.deepStrictEqual([schema, of], ['deadweight/curve/1', 'collected']);
    assert.ok(highest.bytes > 2 * captured.bytes, JSON.stringify({ highest, captured }));
    assert.ok(points.length > 0 && points.every(({ ms }, i) => i === 0 || ms >= points[i - 1].ms));
    const { heap_used, external } = captures[0].record.process;
    assert.strictEqual(captured.bytes, heap_used + external);
  });

  it('the most that is held is measured, and captured in a second run', async () => {
    const journal = join(temporary(), 'journal');
    const first = await run(node, BATCH, { env: { DEADWEIGHT_HIGHEST: 'measure', DEADWEIGHT_JOURNAL: journal } });
    assert.deepStrictEqual([first.stderr, first.captures.length], ['', 0]);
    const notes = readFileSync(journal, 'utf8').matchAll(/^highest \d+ (\d+)$/gm);
    const most = Math.max(...[...notes].map(([, bytes]) => Number(bytes)));
    assert.ok(most > 20e6, `${most}`);
    const { captures, stderr } = await run(node, BATCH, { env: { DEADWEIGHT_HIGHEST: `${Math.round(most * 0.95)}` } });
    assert.deepStrictEqual([stderr, captures.length], ['', 1]);
    const { reason, workers } = captures[0].record.process;
    assert.deepStrictEqual([reason, workers], ['peak', 0], 'the thread of the recorder is none of the program');
    assert.ok(curveOf(captures[0]).captured.bytes >= most * 0.93);
  });

  it('a program that ends itself ends as ever', async () => {
    for (const source of ['process.exit(3)', `${BATCH} process.exit(3)`, `${BATCH} setTimeout(() => process.exit(3), 50)`]) {
      const { code, stderr } = await run(node, source, { env: { DEADWEIGHT_HIGHEST: 'measure' } });
      assert.deepStrictEqual([code, stderr], [3, '']);
    }
  });

  it('a highest moment that is not met leaves the end', async () => {
    const { captures } = await run(node, '', { env: { DEADWEIGHT_HIGHEST: '900000000' } });
    assert.deepStrictEqual(captures.map(({ record }) => record.process.reason), ['exit']);
  });

  it('the program sees no global of the recorder while its thread looks', async () => {
    const source = `
      setTimeout(() => console.log(Object.keys(globalThis).filter((key) => /dead/.test(key)).length), 50);`;
    const { stdout, code } = await run(node, source, { env: { DEADWEIGHT_HIGHEST: 'measure' } });
    assert.deepStrictEqual([stdout, code], ['0\n', 0]);
  });

  it('a program that a signal ends says nothing of the thread that looks', async () => {
    for (const how of ['measure', 'climb', '1e9']) {
      const source = "setInterval(() => {}, 1000); setTimeout(() => process.kill(process.pid, 'SIGTERM'), 200)";
      const { stdout, stderr, signal } = await run(node, source, { env: { DEADWEIGHT_HIGHEST: how } });
      assert.deepStrictEqual([stdout, stderr, signal], ['', '', 'SIGTERM'], how);
    }
  });
});
