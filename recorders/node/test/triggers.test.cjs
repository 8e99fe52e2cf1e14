'use strict';

const assert = require('node:assert');
const { it } = require('node:test');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { everyNode, start, run, printed, list, temporary } = require('./host.cjs');

const WAIT = "setInterval(() => {}, 1000); console.log('ready');";

async function until(condition) {
  while (!condition()) await new Promise((done) => setTimeout(done, 20));
}

everyNode('triggers', (node) => {
  it('SIGUSR2 twice gives two captures, and the program goes on', async () => {
    const started = start(node, WAIT, { env: { DEADWEIGHT_WHEN: 'SIGUSR2' } });
    await printed(started, 'ready');
    started.child.kill('SIGUSR2');
    await until(() => list(started.captures).length === 1);
    started.child.kill('SIGUSR2');
    await until(() => list(started.captures).length === 2);
    started.child.kill('SIGTERM');
    const { signal, stderr, captures } = await started.ended;
    assert.deepStrictEqual([signal, stderr], ['SIGTERM', '']);
    assert.deepStrictEqual(captures.map(({ number }) => number), [1, 2]);
    assert.deepStrictEqual(captures.map(({ record }) => record.process.trigger), ['SIGUSR2', 'SIGUSR2']);
  });

  it("the program's own SIGUSR2 handler is called too", async () => {
    const source = `process.on('SIGUSR2', () => { console.log('mine'); process.exit(4); }); ${WAIT}`;
    const started = start(node, source, { env: { DEADWEIGHT_WHEN: 'SIGUSR2' } });
    await printed(started, 'ready');
    started.child.kill('SIGUSR2');
    const { code, stdout, captures } = await started.ended;
    assert.deepStrictEqual([code, stdout], [4, 'ready\nmine\n']);
    assert.strictEqual(captures.length, 1);
  });

  it('a child of nodemon ends by SIGUSR2, as nodemon expects when a file changes', async () => {
    const started = start(node, WAIT, { env: { DEADWEIGHT_SIGUSR2_ENDS: '1' } });
    await printed(started, 'ready');
    started.child.kill('SIGUSR2');
    const { signal, captures } = await started.ended;
    assert.deepStrictEqual([signal, captures.length], ['SIGUSR2', 1]);
    const parent = "process.on('exit', () => console.log(process.env.DEADWEIGHT_SIGUSR2_ENDS))";
    assert.strictEqual((await run(node, parent, { name: 'nodemon.js' })).stdout, '1\n');
  });

  it('what only starts others is not captured, and says so to who started it', async () => {
    const journal = join(temporary(), 'journal');
    for (const [name, flags] of [['npx-cli.js', []], ['tsx', []], ['pm2-runtime', []], ['test.cjs', ['--test']]]) {
      writeFileSync(journal, '');
      const env = { DEADWEIGHT_JOURNAL: journal };
      const source = "require('node:test'); console.log('on')";
      const started = start(node, source, { env, name, flags });
      const { code, stderr, captures } = await started.ended;
      assert.deepStrictEqual([code, stderr], [0, ''], name);
      assert.match(readFileSync(journal, 'utf8'), new RegExp(`^launcher ${started.child.pid}$`, 'm'), name);
      assert.ok(captures.every(({ record }) => record.process.pid !== started.child.pid), name);
      assert.strictEqual(captures.length, flags.length, name);
    }
  });

  it('captures below nodemon lie where nodemon does not look', async () => {
    const parent = "console.log(require('child_process').execFileSync(process.execPath, ['-p', 'process.env.DEADWEIGHT_DIR'], { encoding: 'utf8' }))";
    const { stdout, home } = await run(node, parent, { name: 'nodemon.js' });
    assert.strictEqual(stdout.trim(), join(home, 'captures', '.nodemon'));
  });

  it('a capture says whether the process runs tests', async () => {
    for (const name of ['vitest.mjs', 'program.cjs']) {
      const { captures } = await run(node, '', { name });
      assert.deepStrictEqual(captures.map(({ record }) => record.process.runner), [name === 'vitest.mjs']);
    }
  });

  it('who started the program is told how high a measure came', async () => {
    const journal = join(temporary(), 'journal');
    writeFileSync(journal, '');
    const source = `globalThis.kept = Buffer.alloc(50e6, 1); ${WAIT} setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);`;
    const env = { DEADWEIGHT_WHEN: 'external>900MB,heap>5GB', DEADWEIGHT_POLL_MS: '20', DEADWEIGHT_JOURNAL: journal };
    const { signal } = await run(node, source, { env });
    const told = [...readFileSync(journal, 'utf8').matchAll(/^external (\d+)$/gm)].map(([, bytes]) => Number(bytes));
    assert.strictEqual(signal, 'SIGKILL');
    assert.ok(told.at(-1) > 50e6 && told.at(-1) < 60e6, told.join());
  });

  for (const [measure, growth] of [
    ['rss', "Buffer.alloc(1e6, 1)"],
    ['external', "Buffer.alloc(1e6, 1)"],
    ['heap', "Array.from({ length: 1e5 }, (_, i) => i + 0.5)"],
  ]) {
    it(`a threshold of ${measure} fires once`, async () => {
      const source = `
        const kept = [];
        const base = process.memoryUsage().rss;
        const timer = setInterval(() => {
          kept.push(${growth});
          if (kept.length === 250) { clearInterval(timer); console.log(kept.length); }
        }, 2);`;
      const env = { DEADWEIGHT_WHEN: `${measure}>120MB`, DEADWEIGHT_POLL_MS: '20' };
      const { code, stdout, stderr, captures } = await run(node, source, { env });
      assert.deepStrictEqual([code, stdout, stderr], [0, '250\n', '']);
      assert.strictEqual(captures.length, 1);
      assert.strictEqual(captures[0].record.process.reason, 'threshold');
      assert.strictEqual(captures[0].record.process.trigger, `${measure}>120MB`);
    });
  }

  it('a trigger it does not know is one line on stderr', async () => {
    const { code, stdout, stderr, captures } = await run(node, "console.log('on')", { env: { DEADWEIGHT_WHEN: 'rss>lots' } });
    assert.deepStrictEqual([code, stdout, captures.length], [0, 'on\n', 0]);
    assert.match(stderr, /^deadweight: [^\n]*rss>lots[^\n]*\n$/);
  });
});
