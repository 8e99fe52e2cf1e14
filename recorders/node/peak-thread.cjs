'use strict';

// A thread of the recorder's own, which asks the main thread every few milliseconds. The inspector has the question
// answered between two steps of whatever runs there.

const { Session } = require('node:inspector');
const { workerData } = require('node:worker_threads');

const QUESTION = "process[Symbol.for('deadweight.peak')]?.()";

// Of what the main thread shares: whether this one connects or is connected, whether it is to stop, and whether it has.
const [NONE, CONNECTED, STOP, STOPPED, CONNECTING] = [0, 1, 2, 3, 4];
const state = workerData;

// Looks this often for the request to stop, and asks as often as the last answer wanted.
const STEP_MS = 1;
const EVERY_MS = 10;

const session = new Session();
let asked = false;
let wait = 0;
const timer = setInterval(() => {
  if (Atomics.load(state, 0) === STOP) {
    clearInterval(timer);
    session.disconnect();
    Atomics.store(state, 0, STOPPED);
    Atomics.notify(state, 0);
    return;
  }
  wait -= STEP_MS;
  if (asked || wait > 0) return;
  asked = true;
  session.post('Runtime.evaluate', { expression: QUESTION, silent: true }, (error, answer) => {
    asked = false;
    wait = answer?.result?.value || EVERY_MS;
  });
}, STEP_MS);
// Who comes to its end meanwhile waits for the connection: a process that ends below it crashes.
if (Atomics.compareExchange(state, 0, NONE, CONNECTING) === NONE) {
  session.connectToMainThread();
  Atomics.store(state, 0, CONNECTED);
  Atomics.notify(state, 0);
} else {
  clearInterval(timer);
}
