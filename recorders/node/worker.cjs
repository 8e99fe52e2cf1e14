'use strict';

// What the main thread loads into a worker that has an environment or options of its own, and with them no recorder.

const { armWorker } = require('./arm.cjs');

const ASKED = Symbol.for('deadweight.capture');

// Gives what takes a capture, or nothing where the process is not captured.
function join() {
  armWorker(true);
  return process[ASKED];
}

module.exports = { join };

for (const file of Object.keys(require.cache)) {
  if (file.startsWith(__dirname + require('node:path').sep)) delete require.cache[file];
}
