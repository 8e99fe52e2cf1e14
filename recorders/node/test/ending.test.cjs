'use strict';

// However a program ends, it ends the same way with the recorder as without.

const assert = require('node:assert');
const { it } = require('node:test');
const { everyNode, start, run, printed } = require('./host.cjs');

// Line numbers inside Node's own files depend on how many listeners an event has.
const text = ({ stderr, home }) => stderr.replaceAll(home, '').replace(/(node:[\w\/]+):\d+:\d+/g, '$1');

const WAIT = "setInterval(() => {}, 1000); console.log('ready');";

const ENDINGS = {
  'runs to its end': "console.log('done')",
  'sets process.exitCode': "process.exitCode = 3; console.log('done')",
  'calls process.exit': "setInterval(() => {}, 1000); console.log('out'); console.error('err'); process.exit(3)",
  'throws': "console.log('before'); throw new Error('on purpose')",
  'rejects': "console.log('before'); Promise.reject(new Error('on purpose'))",
  'exits in an exit handler': "process.on('exit', (code) => { console.log('code', code); process.exit(7); })",
  'throws in an exit handler': "process.on('exit', () => { throw new Error('on purpose'); })",
  'prints a lot': "process.stdout.write('0123456789abcdef'.repeat(1 << 16)); console.log(process.argv.length)",
};

everyNode('the ending of a program', (node) => {
  for (const [title, source] of Object.entries(ENDINGS)) {
    it(`that ${title}`, async () => {
      const plain = await run(node, source, { recorded: false });
      const recorded = await run(node, source);
      assert.strictEqual(recorded.code, plain.code);
      assert.strictEqual(recorded.signal, plain.signal);
      assert.strictEqual(recorded.stdout, plain.stdout);
      assert.strictEqual(text(recorded), text(plain));
      assert.strictEqual(recorded.captures.length, 1);
      assert.strictEqual(recorded.captures[0].record.process.reason, 'exit');
    });
  }

  it('in ESM', async () => {
    const source = "import fs from 'node:fs'; await null; console.log(typeof fs.readFileSync); process.exitCode = 5;";
    const { code, stdout, stderr, captures } = await run(node, source, { name: 'program.mjs' });
    assert.deepStrictEqual([code, stdout, stderr], [5, 'function\n', '']);
    assert.strictEqual(captures.length, 1);
    assert.match(captures[0].name, /^program-\d+-1\.deadweight$/);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    it(`by ${signal} without a handler`, async () => {
      const started = start(node, `process.on('exit', () => console.log('exit event')); ${WAIT}`);
      await printed(started, 'ready');
      started.child.kill(signal);
      const ended = await started.ended;
      assert.deepStrictEqual([ended.code, ended.signal, ended.stdout, ended.stderr], [null, signal, 'ready\n', '']);
      assert.strictEqual(ended.captures.length, 1);
      assert.strictEqual(ended.captures[0].record.process.reason, 'signal');
      assert.strictEqual(ended.captures[0].record.process.trigger, signal);
    });

    it(`by ${signal} with a handler of its own`, async () => {
      const source = `process.on('${signal}', (name) => { console.log('bye', name); process.exit(9); }); ${WAIT}`;
      const started = start(node, source);
      await printed(started, 'ready');
      started.child.kill(signal);
      const ended = await started.ended;
      assert.deepStrictEqual([ended.code, ended.signal, ended.stdout], [9, null, `ready\nbye ${signal}\n`]);
      assert.strictEqual(ended.captures.length, 1);
      assert.strictEqual(ended.captures[0].record.process.reason, 'exit');
    });
  }

  it('by SIGTERM with a handler that asks to be alone before it lets the process die', async () => {
    const source = `
      const last = () => {
        if (process.listeners('SIGTERM').length !== 1) return;
        process.removeListener('SIGTERM', last);
        console.log('alone');
        process.kill(process.pid, 'SIGTERM');
      };
      process.on('SIGTERM', last); ${WAIT}`;
    const started = start(node, source);
    await printed(started, 'ready');
    started.child.kill('SIGTERM');
    const ended = await started.ended;
    assert.deepStrictEqual([ended.signal, ended.stdout], ['SIGTERM', 'ready\nalone\n']);
    assert.strictEqual(ended.captures.length, 1);
  });

  it('by SIGTERM after its one-time handler was used up', async () => {
    const source = `process.once('SIGTERM', () => console.log('once')); ${WAIT}`;
    const started = start(node, source);
    await printed(started, 'ready');
    started.child.kill('SIGTERM');
    await printed(started, 'once');
    started.child.kill('SIGTERM');
    const ended = await started.ended;
    assert.deepStrictEqual([ended.signal, ended.stdout], ['SIGTERM', 'ready\nonce\n']);
    assert.strictEqual(ended.captures.length, 1);
  });

  it('is not held up by an armed threshold', async () => {
    const began = Date.now();
    const { code, captures } = await run(node, '', { env: { DEADWEIGHT_WHEN: 'rss>100GB', DEADWEIGHT_POLL_MS: '60000' } });
    assert.strictEqual(code, 0);
    assert.strictEqual(captures.length, 0);
    assert.ok(Date.now() - began < 30000);
  });

  it('a parent that kills a child which is being captured waits for the capture, and for nothing else', async () => {
    // The capture takes longer than the parent waits before it kills.
    const child = `globalThis.kept = Array.from({ length: 5e4 }, (_, i) => ({ i }));
      process.on('SIGTERM', () => process.exit(0)); process.send('ready');`;
    for (const how of ["child.kill('SIGKILL')", 'process.kill(child.pid, 9)']) {
      const parent = `
        const { fork } = require('child_process');
        if (process.argv[2] === 'child') { ${child} return; }
        const child = fork(__filename, ['child']);
        child.on('message', () => { child.kill(); setTimeout(() => { ${how}; }, 150); });
        child.on('exit', (code, signal) => {
          const hung = fork(__filename, ['hung'], { execArgv: ['-e', 'setInterval(() => {}, 1000)'] });
          console.log(code, signal);
          hung.on('spawn', () => { hung.kill('SIGKILL'); });
          hung.on('exit', (code, signal) => console.log(code, signal));
        });`;
      const { stdout, stderr, captures } = await run(node, parent, { env: { DEADWEIGHT_SNAPSHOT: '1' } });
      assert.deepStrictEqual([stdout, stderr], ['0 null\nnull SIGKILL\n', ''], how);
      assert.strictEqual(captures.length, 2, how);
    }
  });
});
