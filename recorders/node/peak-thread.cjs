'use strict';

// A thread of the recorder's own, which asks the main thread every few milliseconds. The inspector has the question
// answered between two steps of whatever runs there.

const { Session } = require('node:inspector');
const { workerData } = require('node:worker_threads');

const EVERY_MS = 10;
const QUESTION = "process[Symbol.for('deadweight.peak')]?.()";

// Of what the main thread shares: whether this one is connected, whether it is to stop, and whether it has.
const [NONE, CONNECTED, STOP, STOPPED] = [0, 1, 2, 3];
const state = workerData;

const session = new Session();
let asked = false;
const timer = setInterval(() => {
  if (Atomics.load(state, 0) === STOP) {
    clearInterval(timer);
    session.disconnect();
    Atomics.store(state, 0, STOPPED);
    Atomics.notify(state, 0);
    return;
  }
  if (asked) return;
  asked = true;
  session.post('Runtime.evaluate', { expression: QUESTION, silent: true }, () => {
    asked = false;
  });
}, EVERY_MS);
if (Atomics.compareExchange(state, 0, NONE, CONNECTED) === NONE) session.connectToMainThread();
else clearInterval(timer);
