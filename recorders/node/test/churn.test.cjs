'use strict';

// What the program makes, by the function that makes it.

const assert = require('node:assert');
const { test } = require('node:test');
const { everyNode, run } = require('./host.cjs');

const EVERY = '16384';
const RECORDED = { env: { DEADWEIGHT_CHURN_BYTES: EVERY } };

everyNode('what a program makes', (node) => {
  test('a program that goes on is not paused', async () => {
    const program = `
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += Array.from({ length: 2000 }, (_, i) => [i]).length / 2000;
        if (ticks === 20) process.kill(process.pid, 'SIGUSR2');
        if (ticks === 60) clearInterval(timer);
      }, 5);
      process.on('exit', () => console.log(ticks));`;
    const { captures, stdout, stderr, code } = await run(node, program, RECORDED);
    assert.deepStrictEqual([code, stdout, stderr], [0, '60\n', '']);
    assert.deepStrictEqual(captures.map(({ record }) => record.process.trigger), ['SIGUSR2', 'exit']);
  });

  test('what was held for the profile is let go before the heap is looked at', async () => {
    // Node makes its source an ordinary text of the heap, as a part of it is no Latin letter.
    const program = `const kept = [];
      function text() { kept.push('x'.repeat(1000)); }
      for (let i = 0; i < 3e4; i++) text();
      // ${'ζ'.repeat(2e6)}`;
    const used = async (churn) => {
      const { captures } = await run(node, program, { env: { DEADWEIGHT_CHURN_BYTES: churn } });
      return captures[0].record.process.heap_used;
    };
    // What the profiler itself takes does not hang on how many samples it has.
    const [plain, few, many] = [await used('0'), await used('131072'), await used('256')];
    assert.ok(few - plain < 1_000_000, `${plain} without, ${few} with`);
    assert.ok(many - few < 100_000, `${few} with few samples, ${many} with many`);
  });
});
