'use strict';

// Worker threads are captured however they were started, and however they end.

const assert = require('node:assert');
const { it } = require('node:test');
const { everyNode, run } = require('./host.cjs');

// Starts a worker that holds two hundred thousand objects; one more stands between where `how` is 'nested'.
const PROGRAM = `
  const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
  const hold = () => {
    globalThis.kept = Array.from({ length: workerData.count }, (_, i) => ({ i }));
    parentPort.postMessage('ready');
    setInterval(() => {}, 1000);
  };
  const start = (role, options, then) => {
    const worker = new Worker(__filename, { ...options, workerData: { ...workerData, count: 2e5, role, ...options.workerData } });
    return worker.on('message', () => then(worker));
  };
  if (!isMainThread && workerData.role === 'hold') hold();
  else if (!isMainThread) start('hold', {}, () => parentPort.postMessage('ready'));
  else WAY;`;

const WAYS = {
  'with an environment of its own': "start('hold', { env: { A: '1' } }, () => process.exit())",
  'with options of its own': "start('hold', { execArgv: ['--no-warnings'] }, () => process.exit())",
  'with both': "start('hold', { execArgv: [], env: {} }, () => process.exit())",
  'of a worker': "start('nested', {}, () => process.exit())",
  'that is ended': "start('hold', {}, async (worker) => console.log(await worker.terminate()))",
  'that is ended, with an environment of its own': "start('hold', { env: {} }, async (worker) => console.log(await worker.terminate()))",
};

everyNode('workers', (node) => {
  for (const [title, way] of Object.entries(WAYS)) {
    it(`one ${title} is captured`, async () => {
      const { stdout, stderr, captures } = await run(node, PROGRAM.replace('WAY', way));
      assert.deepStrictEqual([stdout, stderr], [way.includes('terminate') ? '1\n' : '', '']);
      const threads = captures.map(({ record }) => record.process).filter(({ thread }) => thread > 0);
      assert.strictEqual(threads.length, way.includes('nested') ? 2 : 1);
      const main = captures.find(({ record }) => record.process.thread === 0).record.process;
      assert.ok(Math.max(...threads.map((thread) => thread.heap_used)) > main.heap_used + 2e6);
      assert.strictEqual(new Set(captures.map(({ record }) => record.process.pid)).size, 1);
    });
  }

  it('one that is ended and holds nothing is not captured', async () => {
    const way = "start('hold', { workerData: { count: 1 } }, (worker) => worker.terminate())";
    const { captures } = await run(node, PROGRAM.replace('WAY', way));
    assert.deepStrictEqual(captures.map(({ record }) => record.process.thread), [0]);
  });

  it('the program sees no difference in a worker', async () => {
    const way = `start('hold', {}, (worker) => {
      const sight = [Object.keys(worker), Object.hasOwn(worker, 'terminate'), Worker.name, worker instanceof Worker];
      console.log(JSON.stringify(sight));
      process.exit();
    })`;
    const source = PROGRAM.replace('WAY', way);
    const [plain, recorded] = await Promise.all([run(node, source, { recorded: false }), run(node, source)]);
    assert.strictEqual(recorded.stdout, plain.stdout);
  });
});
