'use strict';

// A full garbage collection on demand, in a process that was started without --expose-gc.

const v8 = require('node:v8');
const vm = require('node:vm');

const ROUNDS = 8;
const SETTLED_BYTES = 1024;

// The engine installs `gc` in contexts made while the flag is on. It is taken from a fresh context, and the flag
// goes off again, so that no context of the program gets a global it did not have.
function collector() {
  v8.setFlagsFromString('--expose-gc');
  try {
    const gc = vm.runInNewContext('gc');
    return typeof gc === 'function' ? gc : null;
  } finally {
    if (typeof globalThis.gc !== 'function') v8.setFlagsFromString('--no-expose-gc');
  }
}

// Collects until two collections in a row leave the same bytes. Returns how many it took.
function settle(gc) {
  if (gc === null) return 0;
  let before = Infinity;
  for (let round = 1; round <= ROUNDS; round++) {
    gc();
    const after = process.memoryUsage().heapUsed;
    if (Math.abs(before - after) <= SETTLED_BYTES) return round;
    before = after;
  }
  return ROUNDS;
}

module.exports = { collector, settle };
