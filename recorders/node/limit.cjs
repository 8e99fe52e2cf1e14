'use strict';

// A process that runs out of heap dies without an event. Shortly before, V8 can write a snapshot by itself, into the
// working directory; who started the program takes it from there.

const v8 = require('node:v8');
const { note } = require('./files.cjs');
const { mayTakeSnapshot } = require('./snapshot.cjs');

const { getHeapStatistics } = v8;

function watchLimit(settings) {
  if (settings.journal === null || !settings.snapshot || !settings.when.exit) return;
  if (typeof v8.setHeapSnapshotNearHeapLimit !== 'function') return; // before Node 18.10
  // Of a heap so large that a snapshot of it may take what is left of the machine there is none.
  if (!settings.force && !mayTakeSnapshot(getHeapStatistics().heap_size_limit)) return;
  v8.setHeapSnapshotNearHeapLimit(1);
  note(settings, `limit ${process.pid} ${settings.program} ${process.cwd()}`);
}

module.exports = { watchLimit };
