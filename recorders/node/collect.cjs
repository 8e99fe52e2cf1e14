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

// Collects until two collections in a row leave the same bytes. Returns how many it took, and what the process says of
// its memory right then: the first object that is made afterwards in the old part of the heap may take a whole page.
function settle(gc) {
  let memory = null;
  let rounds = 0;
  for (let before = Infinity; gc !== null && rounds < ROUNDS; rounds++) {
    gc();
    memory = process.memoryUsage();
    if (Math.abs(before - memory.heapUsed) <= SETTLED_BYTES) return { rounds: rounds + 1, memory };
    before = memory.heapUsed;
  }
  return { rounds, memory: memory || process.memoryUsage() };
}

module.exports = { collector, settle };
