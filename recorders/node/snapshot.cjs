'use strict';

// Writes the heap snapshot, with the numbers in fields and with long strings.

const v8 = require('node:v8');
const { renameSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { fail } = require('./fail.cjs');
const { PART, takeStream, writeFile } = require('./files.cjs');
const { listLineEnds } = require('./line-ends.cjs');
const { withSession, post } = require('./session.cjs');
const { availableMemory } = require('./totals.cjs');

const FILE = 'heap.heapsnapshot';
const USUAL_STRING_LIMIT = 1024;
// A snapshot needs up to this many bytes beside the heap for each byte of it. Measured; see README.md.
const FACTOR = 6;
const FACTOR_WITH_NUMBERS = 11;
// The snapshot itself has up to this many bytes for each byte of the heap, where it stays in memory. Measured, too.
const FACTOR_OF_STREAM = 4.5;
// Node 18's takes a file name only; its inspector has the option all the same.
const TAKES_OPTIONS = v8.writeHeapSnapshot.length > 1;

const { now } = performance;
const { writeHeapSnapshot, setFlagsFromString } = v8;

// `snapshot` is null when none was taken; `why` says why, unless none was asked for.
function takeSnapshot(settings, directory, heapUsed) {
  if (!settings.snapshot) return { snapshot: null };
  const streamed = Boolean(settings.streams);
  const more = streamed ? FACTOR_OF_STREAM : 0;
  const why = settings.force ? null : refusal(heapUsed, FACTOR + more);
  if (why !== null) {
    fail(`${why}; only the totals are written (DEADWEIGHT_FORCE=1 takes it all the same)`);
    return { snapshot: null, why };
  }
  if (streamed && !takeStream(settings.streams, directory, FILE)) {
    const none = 'no room was left for one more snapshot in memory';
    fail(`${none}; only the totals are written`);
    return { snapshot: null, why: none };
  }
  const start = now.call(performance);
  try {
    listLineEnds();
  } catch (error) {
    fail('the snapshot may take long', error);
  }
  const limit = raiseStringLimit(settings.stringLimit);
  const numeric = write(directory, streamed, settings.force || refusal(heapUsed, FACTOR_WITH_NUMBERS + more) === null);
  return {
    snapshot: {
      file: FILE,
      bytes: statSync(join(directory, FILE)).size,
      string_limit: limit,
      streamed,
      numeric_values: numeric,
      seconds: (now.call(performance) - start) / 1000,
    },
  };
}

// Bytes that a snapshot takes beside a heap: with numbers, where these are taken, as memory allows it.
function memoryNeeded(heapUsed) {
  return heapUsed * (refusal(heapUsed, FACTOR_WITH_NUMBERS) === null ? FACTOR_WITH_NUMBERS : FACTOR);
}

function mayTakeSnapshot(heapUsed) {
  return refusal(heapUsed, FACTOR) === null;
}

// Why a snapshot would put the process at risk, or null.
function refusal(heapUsed, factor) {
  const available = availableMemory();
  const needed = heapUsed * factor;
  if (available === null || needed <= available) return null;
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  return `a snapshot needs about ${megabytes(needed)} MB and ${megabytes(available)} MB are free`;
}

// How many UTF-16 units of a string the snapshot will have.
function raiseStringLimit(limit) {
  try {
    setFlagsFromString(`--heap-snapshot-string-limit=${limit}`);
    return limit;
  } catch {
    return USUAL_STRING_LIMIT;
  }
}

// Whether the file has the numbers in fields, as `numbers` asks. `there` says that it is there already.
function write(directory, there, numbers) {
  if (numbers && !TAKES_OPTIONS) {
    try {
      writeFile(directory, FILE, inChunks, there ? 'w' : 'wx');
      return true;
    } catch (error) {
      fail('the snapshot has no numbers', error);
    }
  }
  const path = join(directory, FILE);
  writeHeapSnapshot(path + PART, { exposeNumericValues: numbers, exposeInternals: false });
  renameSync(path + PART, path);
  return numbers && TAKES_OPTIONS;
}

function inChunks(append) {
  withSession((session) => {
    let failure = null;
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => {
      try {
        if (failure === null) append(params.chunk);
      } catch (error) {
        failure = error;
      }
    });
    post(session, 'HeapProfiler.takeHeapSnapshot', { captureNumericValue: true, reportProgress: false });
    session.removeAllListeners('HeapProfiler.addHeapSnapshotChunk');
    if (failure !== null) throw failure;
  });
}

module.exports = { mayTakeSnapshot, memoryNeeded, takeSnapshot };
