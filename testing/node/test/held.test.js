'use strict';

const assert = require('node:assert');
const { readdirSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { test } = require('node:test');
const { expectHeld } = require('../index.js');
const { healthy, wasteful } = require('./programs.js');

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('deadweight-test-')).length;

test('a wasteful function breaks limits, and the message tells what to mend', async () => {
  const before = left();
  await assert.rejects(expectHeld(() => wasteful(20_000), { findings: [], bytes: '1.2 MB' }), (error) => {
    assert.strictEqual(error.code, 'ERR_ASSERTION');
    assert.match(error.message, /breaks 2 limits/);
    assert.match(error.message, /held bytes: \d\.\d MB \(\d+ bytes\), more than 1\.2 MB/);
    assert.match(error.message, /D01 at Visit\.city/);
    assert.match(error.message, /the fix saves \d+\.\d kB/);
    assert.match(error.message, /fix: \S/);
    return true;
  });
  assert.strictEqual(left(), before, 'no capture stays');
});

test('a healthy function keeps to all limits, and its value is given back', async () => {
  const { value, bytes, external, dead } = await expectHeld(async () => healthy(20_000), {
    bytes: '1.2 MB',
    external: '100 kB',
    deadShare: '1 %',
    perRecord: { Visit: 60 },
    findings: [],
  });
  assert.strictEqual(value.length, 20_000);
  // A record has a header of three words and two fields; the list a word for each.
  assert.ok(bytes > 20_000 * 24 && bytes < 1_200_000, `${bytes}`);
  assert.ok(external < 100_000 && dead < 12_000);
});

test('records have limits, of one type or in all', async () => {
  await assert.rejects(expectHeld(() => wasteful(5_000), { perRecord: { Visit: 60 } }), /bytes per record at Visit: \d+ B/);
  await assert.rejects(expectHeld(() => wasteful(5_000), { perRecord: { records: 5_000, bytesPerRecord: 60 } }), /held bytes/);
  await expectHeld(() => healthy(5_000), { perRecord: { records: 5_000, bytesPerRecord: 70 } });
});

test('an accepted rule breaks nothing', async () => {
  await expectHeld(() => wasteful(5_000), { findings: ['D01'] });
});

test('what a function lets go is not held', async () => {
  await expectHeld(() => wasteful(20_000).length, { bytes: '200 kB', findings: [] });
});

test('buffers are outside of the heap', async () => {
  // Node.js itself may keep some kilobytes beside them.
  await assert.rejects(expectHeld(() => Buffer.alloc(5_000_000, 1), { external: '1 MB' }), /external bytes: 5\.[01] MB/);
});

test('limits that mean nothing are told before anything is measured', async () => {
  for (const limits of [undefined, {}, { byte: 3 }, { bytes: -1 }, { deadShare: 3 }, { findings: 'D01' }, { perRecord: { Visit: NaN } }]) {
    await assert.rejects(expectHeld(() => assert.fail('it ran'), limits), TypeError);
  }
  await assert.rejects(expectHeld(() => 1, { findings: ['Z99'] }), /there is no rule "Z99"/);
});

test("the function's own error comes through, and the next measurement works", async () => {
  await assert.rejects(expectHeld(() => { throw new RangeError('mine'); }, { bytes: 1 }), RangeError);
  await expectHeld(() => null, { bytes: '1 MB' });
});

test('two at a time are refused', async () => {
  const first = expectHeld(() => null, { bytes: '1 MB' });
  await assert.rejects(expectHeld(() => null, { bytes: '1 MB' }), /another measurement is under way/);
  await first;
});

test('a missing binary is told', async (t) => {
  const { DEADWEIGHT } = process.env;
  t.after(() => {
    if (DEADWEIGHT === undefined) delete process.env.DEADWEIGHT;
    else process.env.DEADWEIGHT = DEADWEIGHT;
  });
  process.env.DEADWEIGHT = '/nowhere/deadweight';
  await assert.rejects(expectHeld(() => null, { bytes: '1 MB' }), /could not be started.*DEADWEIGHT/);
});
