'use strict';

// Limits on memory in tests. They only throw assertion errors, so that any test runner shows them.

const { check, hold } = require('./lib/check.js');
const { churnBudget, heldBudget } = require('./lib/limits.js');
const { alone, take } = require('./lib/measurement.js');
const { startChurn, stopChurn } = require('./lib/recorder.js');

// One sample each so many bytes: enough for a figure of a few kB an operation to be steady.
const EVERY_BYTES = 512;

// The first release whose profiler keeps what was collected.
const CHURN_SINCE = 20;
const MAJOR = Number(process.versions.node.split('.')[0]);

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
