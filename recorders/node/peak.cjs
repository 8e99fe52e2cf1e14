'use strict';

// Finds the highest moment, or captures at it. Garbage is collected when the heap in use has come higher than ever, as
// only then it is known what is held. A thread of the recorder's own asks this one, through the inspector, so that a
// program that computes without a pause is seen, too, with what its running functions hold.

const v8 = require('node:v8');
const { join } = require('node:path');
const { collector } = require('./collect.cjs');
const { lookNow } = require('./curve.cjs');
const { fail } = require('./fail.cjs');
const { note, withStandardFiles } = require('./files.cjs');
const { disown } = require('./totals.cjs');

const ASKED = Symbol.for('deadweight.peak');
// A first look, and each next one, when so much more is in use.
const FIRST = 8e6;
const MORE = 1.03;
// Collections take no more than so much time, and this share of what the program has run.
const BUDGET_MS = 1000;
const SHARE = 0.25;
// On the way up a capture is taken whenever so many times as much is held.
const CLIMB = 1.5;
// Near the highest moment a better capture takes the place of the one before, so many times at most.
const NEAR = { from: 1, better: 1.03, top: 0, times: 2, everyMs: 10 };
// A small heap fills within milliseconds, and its capture takes few: it is looked at more often, captured from further away, and from
// `top` on for each hundredth that it holds more.
const SMALL = 64e6;
const NEAR_IF_SMALL = { from: 0.75, better: 1.06, top: 0.98, times: 16, everyMs: 1 };
const CLOSE = 1.01;

// What the thread has to do with the inspector.
const [NONE, CONNECTED, STOP, , CONNECTING] = [0, 1, 2, 3, 4];
const [CONNECT_MS, HANG_UP_MS] = [500, 1000];

const { compareExchange, wait } = Atomics;
const { now } = performance;
const { getHeapStatistics } = v8;
const { max, min } = Math;

function inUse() {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

// A process waits for everybody whom its inspector serves, and says so: the thread has to go before the end.
function hangUp(state) {
  if (compareExchange(state, 0, NONE, STOP) === NONE) return;
  wait(state, 0, CONNECTING, HANG_UP_MS);
  if (compareExchange(state, 0, CONNECTED, STOP) !== CONNECTED) return;
  wait(state, 0, STOP, HANG_UP_MS);
}

// What has to be held for the next capture.
function nextNear({ better, top }, peak, held) {
  if (top && held >= peak * top) return held * CLOSE;
  return top ? min(held * better, peak * top) : held * better;
}

// `settings.highest` is 'measure', 'climb', or the bytes at which to capture. `take` takes a capture. Gives what is to be
// called before a signal ends the process.
function watchPeak(settings, take) {
  const { highest: peak } = settings;
  if (peak === null) return () => {};
  let gc = null;
  let most = 0;
  const near = peak < SMALL ? NEAR_IF_SMALL : NEAR;
  let next = peak === 'measure' || peak === 'climb' ? FIRST : peak * near.from;
  // Collections on the way hold a small program up, so that it does not run past the moment between two looks: so did those
  // of the run before.
  let collectAt = peak < SMALL ? 0 : Infinity;
  let spent = -BUDGET_MS;
  let done = false;
  let taken = 0;

  const ask = () => {
    const used = inUse();
    if (done || used < min(next, collectAt)) return;
    const began = now.call(performance);
    if (spent > began * SHARE) return;
    gc = gc || collector();
    gc();
    const held = inUse();
    spent += now.call(performance) - began;
    if (peak < SMALL) collectAt = held * MORE;
    lookNow();
    if (peak === 'measure') {
      most = max(most, held);
      next = max(FIRST, most * MORE);
      note(settings, `highest ${process.pid} ${most}`);
    } else if (held >= next) {
      next = peak === 'climb' ? held * CLIMB : nextNear(near, peak, held);
      done = peak !== 'climb' && ++taken === near.times;
      take('peak', 'peak');
    }
  };
  const guarded = () => {
    try {
      withStandardFiles(ask);
    } catch (error) {
      done = true;
      fail('the highest moment is no longer looked for', error);
    }
    return (next < SMALL ? NEAR_IF_SMALL : NEAR).everyMs;
  };
  Object.defineProperty(process, ASKED, { value: guarded, configurable: true });
  const { Worker } = require('node:worker_threads');
  const state = new Int32Array(new SharedArrayBuffer(4));
  const script = join(__dirname, 'peak-thread.cjs');
  const thread = new Worker(script, { env: {}, execArgv: [], name: 'deadweight', workerData: state });
  thread.on('error', (error) => fail('the highest moment is not looked for', error));
  thread.unref();
  disown(thread);
  // A short program would be over before the first look.
  wait(state, 0, NONE, CONNECT_MS);
  wait(state, 0, CONNECTING, CONNECT_MS);
  // What is held at the end may be the highest.
  process.on('exit', () => {
    if (peak === 'climb') next /= CLIMB;
    guarded();
    hangUp(state);
  });
  return () => hangUp(state);
}

module.exports = { watchPeak };
