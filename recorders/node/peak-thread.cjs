'use strict';

// A thread of the recorder's own, which asks the main thread every few milliseconds. The inspector has the question
// answered between two steps of whatever runs there.

const { Session } = require('node:inspector');

const EVERY_MS = 10;
const QUESTION = "process[Symbol.for('deadweight.peak')]?.()";

const session = new Session();
session.connectToMainThread();
let asked = false;
setInterval(() => {
  if (asked) return;
  asked = true;
  session.post('Runtime.evaluate', { expression: QUESTION, silent: true }, () => {
    asked = false;
  });
}, EVERY_MS);
