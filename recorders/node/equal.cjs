'use strict';

// Which strings of the sample are equal: a heap snapshot does not say what a slice of a string shows.
//
// Asked after the last snapshot is taken, as the engine makes one piece of joined strings that it compares. No text is
// written down.

const { UNKNOWN } = require('./counts.cjs');

// Longer ones are not compared.
const LONGEST = 256;
const BUDGET_MS = 250;
// Between two looks at the clock.
const UNTIMED = 1 << 12;

// The originals, whatever the program makes of them.
const { bind, call } = Function.prototype;
const uncurried = (method) => bind.call(call, method);
const get = uncurried(Map.prototype.get);
const set = uncurried(Map.prototype.set);
const clock = uncurried(performance.now);

// For each string the place of the first that is equal, its own when it is the first, or that it is not known; and whether all were compared.
function firstsOf(texts) {
  const deadline = clock(performance) + BUDGET_MS;
  const places = new Map();
  let compared = 0;
  const firsts = new Uint32Array(texts.length).fill(UNKNOWN);
  for (let i = 0; i < texts.length; i++) {
    if (i % UNTIMED === 0 && clock(performance) > deadline) break;
    if (texts[i].length > LONGEST) continue;
    const first = get(places, texts[i]);
    if (first === undefined) set(places, texts[i], i);
    firsts[i] = first === undefined ? i : first;
    compared++;
  }
  return { firsts, complete: compared === texts.length };
}

module.exports = { firstsOf };
