'use strict';

// Limits on memory in tests. They only throw assertion errors, so that any test runner shows them.

const { mkdirSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { check, hold } = require('./lib/check.js');
const { churnBudget, heldBudget } = require('./lib/limits.js');
const { inPrivateDirectory } = require('./lib/private-directory.js');
const { capture, startChurn, stopChurn } = require('./lib/recorder.js');

// One sample each so many bytes: enough for a figure of a few kB an operation to be steady.
const EVERY_BYTES = 512;

// The first release whose profiler keeps what was collected.
const CHURN_SINCE = 20;
const MAJOR = Number(process.versions.node.split('.')[0]);

let busy = false;

// Two captures or records at a time would each see what the other one makes.
async function alone(what, work) {
  if (busy) throw new Error(`${what}: another measurement is under way; await one before the next`);
  busy = true;
  try {
    return await inPrivateDirectory(work);
  } finally {
    busy = false;
  }
}

function take(parent, settings) {
  const directory = join(parent, settings.program);
  mkdirSync(directory, { mode: 0o700 });
  capture({ ...COMMON, ...settings, directory }, 1, 'threshold', 'test');
  const [made] = readdirSync(directory);
  return join(directory, made);
}

const COMMON = {
  argv: [...process.argv],
  run: null,
  snapshot: true,
  stringLimit: 1 << 20,
  probeMs: 5000,
  tables: true,
  texts: true,
  force: false,
  operations: 0,
};

async function expectHeld(fn, limits) {
  const budget = heldBudget(limits);
  return alone('expectHeld', async (directory) => {
    const before = take(directory, { program: 'before' });
    const kept = { value: await fn() };
    const after = take(directory, { program: 'after' });
    const checked = check(directory, budget, ['--since', before, after]);
    hold('what the function holds', checked, expectHeld);
    const { held, external, dead } = checked.figures;
    return { value: kept.value, bytes: held, external, dead };
  });
}

async function expectChurn(fn, limits) {
  const budget = churnBudget(limits);
  if (MAJOR < CHURN_SINCE) throw new Error(`expectChurn needs Node.js ${CHURN_SINCE}: V8 ${process.versions.v8} forgets what was collected`);
  const { operations = 1, everyBytes = EVERY_BYTES } = limits;
  return alone('expectChurn', async (directory) => {
    startChurn({ churnBytes: everyBytes });
    let value;
    let made;
    try {
      value = await fn();
      made = take(directory, { program: 'churn', snapshot: false, operations });
    } finally {
      stopChurn();
    }
    const checked = check(directory, budget, [made]);
    hold('what the function makes', checked, expectChurn);
    const { churned, bytes_per_operation: bytesPerOperation } = checked.figures;
    return { value, bytes: churned, bytesPerOperation };
  });
}

module.exports = { expectChurn, expectHeld };
