'use strict';

// The ways in which programs are started: the process that holds the rows is weighed and named first, and nothing else of
// the program changes. DEADWEIGHT names the binary; DEADWEIGHT_FULL=1 tries the slow ones, too.

const assert = require('node:assert');
const { spawn, spawnSync } = require('node:child_process');
const { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { test } = require('node:test');

const home = join(__dirname, '..');
const deadweight = process.env.DEADWEIGHT || join(home, '..', '..', 'target/quick/deadweight');
const FULL = process.env.DEADWEIGHT_FULL === '1';
const slow = FULL ? false : 'only with --full';
const has = (program) => spawnSync(program, ['--version']).error === undefined;
const bin = (name) => join(home, 'node_modules/.bin', name);

// Whatever a failed test has left.
function endAll(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // all have ended, as they should
  }
}

// Runs a command in a copy of the program, which no hidden folder is above: watchers would look into it.
function start(t, command, options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'deadweight-launchers-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  cpSync(join(home, 'program'), folder, { recursive: true });
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, COLUMNS: '120', PM2_HOME: join(folder, '.pm2'), CI: '1', NO_COLOR: '1' };
  delete env.NODE_TEST_CONTEXT; // or a runner would speak to this one
  const child = spawn(deadweight, ['run', ...options, '--', ...command], { cwd: folder, env, detached: true });
  t.after(() => endAll(child.pid));
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes) => (said.out += bytes));
  child.stderr.on('data', (bytes) => (said.err += bytes));
  const ended = new Promise((done) => child.on('close', (code, signal) => done({ code, signal })));
  return { child, ended, folder, said };
}

async function until(said, what) {
  for (let left = 600; left > 0; left--) {
    const found = what();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`did not come: ${what}\n${said.out}\n${said.err}`);
}

// The heaps of a run in the order in which they are shown, without their processes.
function heaps({ err }) {
  const rows = err.split('all together')[0].matchAll(/^deadweight: {3}(\S+), process \d+(, worker thread)?/gm);
  return [...rows].map(([, name, thread]) => name + (thread || ''));
}

function findsRows({ err }, saved) {
  const first = /^ 1 {2}(\S+) {2}(\S+) .* (\d+\.\d) MB/m.exec(err);
  assert.deepStrictEqual(first && first.slice(1), ['D01', 'Row.text', saved], err);
  assert.doesNotMatch(err, /not a complete capture|was not captured/);
}

// A program that ends by itself.
async function ends(t, command, { code, out, named, options, saved = '2.9' }) {
  const { ended, said } = start(t, command, options);
  assert.deepStrictEqual(await ended, { code, signal: null }, said.err);
  assert.match(said.out + said.err, out);
  if (named.length > 1) assert.deepStrictEqual(heaps(said), named, said.err);
  else assert.match(said.err, new RegExp(`^deadweight  .*${named[0]}-\\d+-1\\.deadweight`, 'm'));
  findsRows(said, saved);
}

// A server: it is captured when it is asked, and goes on as the same process.
async function serves(t, command, { saved = '2.9', port = /listening (\d+)/, ask = true, restarts = false, more = () => {} }) {
  const { child, ended, folder, said } = start(t, command);
  const address = async () => `http://127.0.0.1:${await until(said, () => [...said.out.matchAll(new RegExp(port, 'g'))].at(-1)?.[1])}/`;
  const process_ = async () => Number(await (await fetch(await address(), { headers: { connection: 'close' } })).text());
  const pid = await process_();
  if (ask) {
    await until(said, () => said.err.includes('the program runs'));
    child.kill('SIGUSR2');
    await until(said, () => said.err.includes('after all fixes'));
    findsRows(said, saved);
    if (!restarts) assert.strictEqual(await process_(), pid, 'the program was started again');
  }
  await more({ child, folder, pid, process_, said });
  return { child, ended, pid, said };
}

test('npm start', async (t) => {
  const { ended, pid } = await serves(t, ['npm', 'start'], {});
  // npm does not pass signals on.
  process.kill(pid, 'SIGTERM');
  const { code, signal } = await ended;
  assert.ok(code === 143 || signal === 'SIGTERM', `${code} ${signal}`);
});

test('npx', { skip: slow }, async (t) => {
  await ends(t, ['npx', 'tsx', 'batch.ts'], { code: 3, out: /40000 rows/, named: ['batch'] });
});

// Its own sign to start the program again is SIGUSR2, which asks for a capture as well; files of captures are no change.
test('nodemon', async (t) => {
  const { child, ended } = await serves(t, [bin('nodemon'), 'server.cjs'], {
    restarts: true,
    async more({ folder, said }) {
      assert.doesNotMatch(said.out, /due to changes/);
      const starts = said.out.split('listening').length;
      utimesSync(join(folder, 'rows.cjs'), new Date(), new Date());
      await until(said, () => said.out.split('listening').length > starts);
      assert.match(said.out, /due to changes/);
      assert.ok(readdirSync(join(folder, 'deadweight-captures/.nodemon')).length > 0);
    },
  });
  child.kill('SIGTERM');
  await ended;
});

test('pm2-runtime', { skip: slow }, async (t) => {
  const { child, ended, said } = await serves(t, [bin('pm2-runtime'), 'server.cjs'], {});
  child.kill('SIGTERM');
  assert.deepStrictEqual(await ended, { code: 0, signal: null }, said.err);
  assert.doesNotMatch(said.err, /not a complete capture/, said.err);
});

for (const pool of ['forks', 'threads']) {
  test(`vitest in ${pool}`, async (t) => {
    const worker = pool === 'forks' ? 'forks' : 'vitest, worker thread';
    await ends(t, [bin('vitest'), 'run', '--pool', pool, '--dir', 'vitest'], {
      code: 0, out: /2 passed/, named: [worker, worker, 'vitest'],
    });
  });
}

// What a file of tests holds goes when the file has ended.
for (const [pool, options, skip] of [['processes', [], slow], ['threads', ['--workerThreads'], slow]]) {
  test(`jest in ${pool}`, { skip }, async (t) => {
    const { ended, said } = start(t, [bin('jest'), '--maxWorkers', '2', '--testMatch', '**/*.jest.js', ...options]);
    assert.deepStrictEqual(await ended, { code: 0, signal: null }, said.err);
    assert.match(said.err, /Tests: +2 passed/);
    const worker = pool === 'processes' ? 'processChild' : 'jest, worker thread';
    const named = heaps(said);
    assert.deepStrictEqual([named[0], named[1], named.at(-1)], [worker, worker, 'jest'], said.err);
    assert.doesNotMatch(said.err, /not a complete capture/);
  });
}

test('node --test', async (t) => {
  const command = [process.execPath, '--test', 'a.node.mjs', 'b.node.mjs'];
  await ends(t, command, { code: 0, out: /pass 2/, named: ['[ab].node', '[ab].node'].slice(0, 1) });
});

test('rspec', { skip: !has('rspec') && 'no rspec' }, async (t) => {
  const named = ['rspec'];
  await ends(t, ['rspec', 'rows_spec.rb'], { code: 1, out: /2 examples, 1 failure/, named, saved: '4.8' });
});

// A request for a capture is puma's sign to start again.
test('puma', { skip: !has('puma') && 'no puma' }, async (t) => {
  const port = /http:\/\/127\.0\.0\.1:(\d+)/;
  const { child, ended, said } = await serves(t, ['puma', '-b', 'tcp://127.0.0.1:0'], { ask: false, port });
  child.kill('SIGTERM');
  await ended;
  findsRows(said, '4.8');
  assert.match(said.out, /Gracefully stopping/);
});
