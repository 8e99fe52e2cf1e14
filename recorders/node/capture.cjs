'use strict';

// One capture: collect the garbage, probe buffers and containers, take the totals, write the snapshot, then the
// record.

const { takeChurn } = require('./churn.cjs');
const { curveUntilNow, writeCurve } = require('./curve.cjs');
const { fail } = require('./fail.cjs');
const { collector, settle } = require('./collect.cjs');
const { bytes, entries, length, writeCounts } = require('./counts.cjs');
const { firstsOf } = require('./equal.cjs');
const { makeDirectory, writeFile, removeDirectory } = require('./files.cjs');
const { find, nothing } = require('./find.cjs');
const { DeadweightProbe, probe } = require('./probe.cjs');
const { takeSnapshot } = require('./snapshot.cjs');
const { beside, totals, peakRss, resident } = require('./totals.cjs');

const SCHEMA = 'deadweight/capture/1';
const RECORD = 'capture.json';
const BUFFERS = 'buffers.ndjson';
const TABLES = 'tables.json';
const ARRAYS = 'arrays.json';
const VIEWS = 'views.json';
const TEXTS = 'texts.json';
const EQUAL = 'equal.json';

const { now } = performance;
const seconds = () => now.call(performance) / 1000;

let held = null; // reachable while the snapshot is written, and only then

// Gives the capture's directory. `isLast` says that the program ends with it.
function capture(settings, number, reason, trigger, isLast = reason === 'exit') {
  const start = seconds();
  const peakBefore = peakRss();
  const directory = makeDirectory(settings.directory, settings.program, number);
  try {
    const inUse = reason === 'exit' ? inUseNow() : null;
    const until = attempt('what was held over time is not known', curveUntilNow);
    const churn = attempt('what the program made was not recorded', () => takeChurn(settings, directory));
    const gc = attempt('the garbage was not collected', collector);
    const { rounds: collections } = settle(gc);
    const collected = seconds();
    const present = resident();
    const probed = probeAll(settings, directory, gc);
    const { memory } = settle(gc); // what the probe left behind
    const process_ = { ...identity(settings, reason, trigger), ...totals(memory), ...present, ...beside(), in_use_before: inUse };
    // An earlier capture may have taken more than the program ever did, and what it took may be resident still.
    if (number === 1) process_.rss_peak = peakBefore;
    else delete process_.rss_base;
    const { snapshot, why } = takeSnapshot(settings, directory, process_.heap_used);
    const equal = isLast && probed.texts && snapshot ? writeEqual(directory) : null;
    const after = process.memoryUsage();
    const record = {
      schema: SCHEMA,
      run: settings.run,
      runtime: runtime(),
      process: process_,
      snapshot,
      churn,
      curve: attempt('what was held over time was not written', () => until && writeCurve(directory, until, process_.heap_used + process_.external)),
      ...probed,
      equal,
      cost: {
        seconds: seconds() - start,
        gc_seconds: collected - start,
        collections,
        peak_rss_before: peakBefore,
        peak_rss: peakRss(),
        heap_used_after: after.heapUsed,
        rss_after: after.rss,
      },
    };
    if (why !== undefined) record.no_snapshot = why;
    writeFile(directory, RECORD, (append) => append(`${JSON.stringify(record, null, 2)}\n`));
    return directory;
  } catch (error) {
    removeDirectory(directory);
    throw error;
  } finally {
    held = null;
  }
}

// Bytes in use, garbage included: the heap, and what it keeps outside.
function inUseNow() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function attempt(what, work) {
  try {
    return work();
  } catch (error) {
    fail(what, error);
    return null;
  }
}

function probeAll(settings, directory, gc) {
  const start = seconds();
  const wanted = settings.snapshot && (settings.probeMs > 0 || settings.tables);
  const found = wanted ? attempt('the heap was not walked', () => find(settings)) : null;
  const walk_seconds = seconds() - start;
  held = new DeadweightProbe(gc, found || nothing());
  const buffers = found && settings.probeMs > 0 ? probeBuffers(settings, directory, found.buffers) : null;
  const count = (what, file, objects, of, more) => {
    if (found === null || objects === null) return null;
    const began = seconds();
    return attempt(`the ${what} were not counted`, () => {
      writeFile(directory, file, (append) => writeCounts(objects, of, append));
      const complete = found.complete;
      return { file, count: objects.length, complete, walk_seconds, seconds: seconds() - began, ...more };
    });
  };
  return {
    buffers: buffers && { ...buffers, walk_seconds },
    tables: count('entries of maps and sets', TABLES, held.tables, entries),
    arrays: count('elements of arrays', ARRAYS, held.arrays, length),
    views: count('lengths of views', VIEWS, held.views, bytes, found && { moved_bytes: found.moved }),
    texts: count('lengths of strings', TEXTS, held.texts, length, found && { complete: found.complete && found.everyText }),
  };
}

// Which strings of the sample are equal. Asked when the snapshot is written and the program ends: joined ones that are
// compared become flat, which a later capture would show.
function writeEqual(directory) {
  const began = seconds();
  return attempt('equal strings were not recorded', () => {
    const { firsts, complete } = firstsOf(held.texts);
    writeFile(directory, EQUAL, (append) => writeCounts(firsts, (first) => first, append));
    return { file: EQUAL, count: firsts.length, complete, seconds: seconds() - began };
  });
}

function probeBuffers(settings, directory, found) {
  return attempt('the buffers were not probed', () => {
    let result;
    writeFile(directory, BUFFERS, (append) => {
      result = probe(held, found, settings.probeMs, append);
    });
    return { file: BUFFERS, ...result };
  });
}

function runtime() {
  const wide = !['arm', 'ia32', 'mips', 'mipsel'].includes(process.arch);
  const { variables } = process.config;
  return {
    name: 'node',
    version: process.versions.node,
    engine: `v8 ${process.versions.v8}`,
    arch: process.arch,
    platform: process.platform,
    word_bytes: wide ? 8 : 4,
    pointer_compression: Boolean(variables && variables.v8_enable_pointer_compression),
    versions: { ...process.versions },
  };
}

function identity(settings, reason, trigger) {
  return {
    pid: process.pid,
    thread: settings.thread || 0,
    runner: settings.runner && !settings.thread,
    ppid: process.ppid,
    argv: settings.argv,
    exec_path: process.execPath,
    exec_argv: [...process.execArgv],
    cwd: attempt('the working directory has gone', () => process.cwd()),
    uptime_seconds: process.uptime(),
    reason,
    trigger,
    time: new Date().toISOString(),
  };
}

module.exports = { capture };
