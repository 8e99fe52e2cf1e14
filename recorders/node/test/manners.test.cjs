'use strict';

// What the recorder leaves in the program, and what it does when it cannot work.

const assert = require('node:assert');
const { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } = require('node:fs');
const { join, dirname } = require('node:path');
const { it } = require('node:test');
const { everyNode, run, temporary, RECORDER } = require('./host.cjs');

const mode = (path) => (statSync(path).mode & 0o777).toString(8);

everyNode('manners', (node) => {
  it('no globals, no modules, no gc, no timers are left to see', async () => {
    const source = `
      console.log(JSON.stringify([
        Object.getOwnPropertyNames(globalThis).sort(),
        Object.keys(require.cache).length,
        require('vm').runInNewContext('typeof gc'),
        process.listenerCount('exit') >= 0,
        module.children.length,
      ]));
      process.on('exit', () => setImmediate(() => {}));
      process.on('exit', () => console.log(Object.getOwnPropertyNames(globalThis).length, require('vm').runInNewContext('typeof gc')));`;
    const plain = await run(node, source, { recorded: false });
    const recorded = await run(node, source, { env: { DEADWEIGHT_SNAPSHOT: '1' } });
    assert.strictEqual(recorded.stdout, plain.stdout);
    assert.strictEqual(recorded.captures.length, 1);
  });

  it('a program that closes 0, 1 and 2 is captured and ends as it would', async () => {
    const source = `
      const fs = require('fs');
      for (const file of [0, 1, 2]) fs.closeSync(file);
      setTimeout(() => { process.exitCode = [0, 1, 2].filter((file) => {
        try { fs.fstatSync(file); return true; } catch { return false; }
      }).length + 4; }, 200);`;
    const env = { DEADWEIGHT_SNAPSHOT: '1', DEADWEIGHT_POLL_MS: '20' };
    for (const when of ['exit', 'exit,rss>1MB,heap>1TB']) {
      const { code, signal, captures } = await run(node, source, { env: { ...env, DEADWEIGHT_WHEN: when } });
      assert.deepStrictEqual([code, signal, captures.length], [4, null, when === 'exit' ? 1 : 2]);
    }
  });

  it('directories are 0700 and files 0600, whatever the umask', async () => {
    const { captures } = await run(node, 'process.umask(0)', { env: { DEADWEIGHT_SNAPSHOT: '1' } });
    const [{ path, record }] = captures;
    assert.strictEqual(mode(dirname(path)), '700');
    assert.strictEqual(mode(path), '700');
    assert.deepStrictEqual(readdirSync(path).sort(), [
      'arrays.json', 'buffers.ndjson', 'capture.json', 'curve.json', 'equal.json', 'heap.heapsnapshot', 'tables.json', 'texts.json', 'views.json',
    ]);
    for (const file of readdirSync(path)) assert.strictEqual(mode(join(path, file)), '600');
    assert.strictEqual(record.snapshot.bytes, statSync(join(path, 'heap.heapsnapshot')).size);
  });

  it('a directory that cannot be made fails open', async () => {
    const file = join(temporary(), 'a file');
    writeFileSync(file, '');
    const env = { DEADWEIGHT_DIR: join(file, 'below') };
    const { code, stdout, stderr } = await run(node, "console.log('on'); process.exitCode = 3", { env });
    assert.deepStrictEqual([code, stdout], [3, 'on\n']);
    assert.match(stderr, /^deadweight: no capture was written: [^\n]+\n$/);
  });

  it('a path with spaces and quotes works, and the NODE_OPTIONS of the user stay', async () => {
    const directory = join(temporary(), 'with space "and quote" \\');
    mkdirSync(directory, { recursive: true });
    cpSync(dirname(RECORDER), directory, { recursive: true });
    const recorder = join(directory, 'recorder.cjs').replace(/[\\"]/g, '\\$&');
    const source = 'console.log(Error.stackTraceLimit)';
    const { stdout, captures } = await run(node, source, { recorder, env: { NODE_OPTIONS: '--stack-trace-limit=3' } });
    assert.strictEqual(stdout, '3\n');
    assert.strictEqual(captures.length, 1);
  });

  it('workers that hold nothing are left alone', async () => {
    const source = "new (require('node:worker_threads').Worker)('process.exitCode = 0', { eval: true })";
    const { code, captures } = await run(node, source);
    assert.deepStrictEqual([code, captures.length], [0, 1]);
  });

  it('a worker that computes without a pause is captured', async () => {
    const source = `
      const { Worker } = require('node:worker_threads');
      const code = "require('node:worker_threads').parentPort.postMessage(0); for (;;);";
      new Worker(code, { eval: true }).on('message', () => process.exit(0));`;
    const { code, captures, stderr } = await run(node, source);
    assert.deepStrictEqual([code, stderr], [0, '']);
    assert.deepStrictEqual(captures.map(({ record }) => record.process.thread), [0, 1]);
    assert.strictEqual(new Set(captures.map(({ record }) => record.process.pid)).size, 1);
    const made = await run(node, source, { env: { DEADWEIGHT_CHURN_BYTES: '100000' } });
    assert.deepStrictEqual([made.code, made.captures.length], [0, 1], 'what is made is recorded in the main thread alone');
  });

  const PARENT = "require('node:child_process').execFileSync(process.execPath, ['-e', ''])";

  it('children are captured, each under its own pid', async () => {
    const { captures } = await run(node, PARENT);
    assert.strictEqual(new Set(captures.map(({ record }) => record.process.pid)).size, 2);
    assert.ok(captures.some(({ name }) => name.startsWith('node-')));
  });

  it('children stay out with DEADWEIGHT_CHILDREN=0', async () => {
    const { captures } = await run(node, PARENT, { env: { DEADWEIGHT_CHILDREN: '0' } });
    assert.strictEqual(captures.length, 1);
  });

  it('a package manager stays out and what it starts is captured', async () => {
    const { captures } = await run(node, PARENT, { name: 'npm-cli.js', env: { DEADWEIGHT_CHILDREN: '0' } });
    assert.deepStrictEqual(captures.map(({ name }) => name.split('-')[0]), ['node']);
  });
});
