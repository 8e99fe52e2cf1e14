'use strict';

// What is said of the memory that a snapshot takes, on machines that have more of it or less.

const assert = require('node:assert');
const test = require('node:test');
const totals = require('../totals.cjs');

let available;
totals.availableMemory = () => available;
const { memoryNeeded } = require('../snapshot.cjs');

test('numbers are taken where memory allows it, and what they take is said', () => {
  for (const [free, needed] of [
    [null, 1100e6],
    [1100e6, 1100e6],
    [1099e6, 600e6],
    [100e6, 600e6],
  ]) {
    available = free;
    assert.strictEqual(memoryNeeded(100e6), needed, String(free));
  }
});
