'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { expectChurn } = require('../index.js');
const { countLines, countLinesWastefully } = require('./programs.js');

const TEXT = 'a line of text\n'.repeat(500);
const TIMES = 400;
const LIMITS = { operations: TIMES, bytesPerOperation: '3 kB', findings: [] };
const forgets = Number(process.versions.node.split('.')[0]) < 20;

test('a wasteful function breaks limits, and the message tells the line and the fix', { skip: forgets }, async () => {
  await assert.rejects(expectChurn(() => countLinesWastefully(TEXT, TIMES), LIMITS), (error) => {
    assert.strictEqual(error.code, 'ERR_ASSERTION');
    assert.match(error.message, /bytes per operation: \d+\.\d kB/);
    assert.match(error.message, /T03 at countLinesWastefully \(.*programs\.js:\d+\)/);
    assert.match(error.message, /fix: \S/);
    return true;
  });
});

test('a healthy function keeps to them, also after a wasteful one', { skip: forgets }, async () => {
  const { value, bytes, bytesPerOperation } = await expectChurn(() => countLines(TEXT, TIMES), LIMITS);
  assert.strictEqual(value, TIMES * 501);
  assert.ok(bytesPerOperation <= 3_000 && bytes <= TIMES * 3_000);
});

test('all bytes have a limit, too', { skip: forgets }, async () => {
  await assert.rejects(expectChurn(() => countLinesWastefully(TEXT, TIMES), { bytes: '1 MB' }), /bytes made: \d+\.\d MB/);
});

test('where V8 forgets what was collected, nothing is measured and that is told', { skip: !forgets }, async () => {
  await assert.rejects(expectChurn(() => null, { bytes: 1 }), /needs Node\.js 20/);
});

test('limits that mean nothing are told', async () => {
  for (const limits of [{}, { operations: 3 }, { bytes: 1, operations: 0 }, { byte: 3 }]) {
    await assert.rejects(expectChurn(() => assert.fail('it ran'), limits), TypeError);
  }
});
