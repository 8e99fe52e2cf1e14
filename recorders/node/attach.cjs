'use strict';

// What `deadweight attach` loads into a process that runs already, through its inspector. Each function is called from
// outside and answers with plain data.

const { close: closeInspector, url } = require('node:inspector');
const { setTimeout } = require('node:timers');
const { capture } = require('./capture.cjs');
const { readSettings } = require('./settings.cjs');
const { memoryNeeded } = require('./snapshot.cjs');
const { availableMemory } = require('./totals.cjs');

// Whoever asked has this long to hang up: the inspector waits for all of its clients before it closes.
const HANG_UP_MS = 50;

// Who this is, and what a snapshot would take.
function cost() {
  const { heapUsed } = process.memoryUsage();
  return {
    pid: process.pid,
    version: process.versions.node,
    heap_used: heapUsed,
    needed: memoryNeeded(heapUsed),
    available: availableMemory(),
  };
}

// Takes a capture and gives its directory. Settings are DEADWEIGHT_* variables; those of the process do not count.
function take(settings) {
  const read = readSettings({ ...settings, DEADWEIGHT_LAUNCHERS: '1' });
  return capture(read, 1, 'attached', 'attach');
}

// Closes the inspector as soon as whoever asked has hung up.
function close() {
  setTimeout(() => url() !== undefined && closeInspector(), HANG_UP_MS);
}

module.exports = { cost, take, close };

for (const file of Object.keys(require.cache)) {
  if (file.startsWith(__dirname + require('node:path').sep)) delete require.cache[file];
}
