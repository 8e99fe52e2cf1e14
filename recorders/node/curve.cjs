'use strict';

// What the process holds over time: the heap in use right after each full collection, with what it keeps outside. The
// engine notes it while the program runs, also where the event loop does not turn; nothing is collected for it.

const { GCProfiler } = require('node:v8');
const { note, withStandardFiles, writeFile } = require('./files.cjs');

const FILE = 'curve.json';
const SCHEMA = 'deadweight/curve/1';
const FULL = 'MarkSweepCompact';
const LOOK_MS = 500;
// So many points are kept; then of each two the higher one stays.
const MOST = 240;

const { setInterval } = globalThis; // before anyone fakes the timers
const { now } = performance;
const { round } = Math;

let curve = null;

function startCurve(settings) {
  if (typeof GCProfiler !== 'function') return; // before Node 18.15
  if (settings.churnBytes > 0) return; // what is made for it would count as made by the program
  curve = { settings, started: clock(), looked: 0, looking: false, points: [], highest: { ms: 0, bytes: 0 }, profiler: profile() };
  setInterval(() => withStandardFiles(look), LOOK_MS).unref();
}

function profile() {
  const profiler = new GCProfiler();
  profiler.start();
  return profiler;
}

const clock = () => now.call(performance);
const elapsed = () => round(clock() - curve.started);

// The one that follows begins before this one ends, so that none is missed.
function next() {
  const { profiler } = curve;
  curve.profiler = profile();
  return profiler.stop().statistics;
}

// The engine does not tell when a collection was. All between two looks, small ones too, are spread evenly over the time.
function look() {
  // The thread that looks for the highest moment asks between any two steps, also of this.
  if (curve.looking) return;
  curve.looking = true;
  try {
    const collections = next();
    const { looked } = curve;
    curve.looked = elapsed();
    const each = (curve.looked - looked) / (collections.length + 1);
    collections.forEach(({ gcType, afterGC: { heapStatistics } }, i) => {
      if (gcType !== FULL) return;
      addPoint(round(looked + each * (i + 1)), heapStatistics.usedHeapSize + heapStatistics.externalMemory);
    });
  } finally {
    curve.looking = false;
  }
}

function addPoint(ms, bytes) {
  const point = { ms, bytes };
  curve.points.push(point);
  if (bytes > curve.highest.bytes) curve.highest = point;
  note(curve.settings, `held ${process.pid} ${ms} ${bytes}`);
  if (curve.points.length < MOST) return;
  curve.points = curve.points.filter((_, i) => i % 2 === 0).map((one, i) => {
    const other = curve.points[2 * i + 1];
    return other !== undefined && other.bytes > one.bytes ? other : one;
  });
}

// What was seen until the capture, which collects garbage itself; null where nothing is noted.
function curveUntilNow() {
  if (curve === null) return null;
  look();
  return { ms: elapsed(), points: curve.points, highest: curve.highest };
}

// `held` are the bytes at the capture. What the capture collects is no moment of the program's.
function writeCurve(directory, { ms, points, highest }, held) {
  const captured = { ms, bytes: held };
  const file = { schema: SCHEMA, of: 'collected', highest: held > highest.bytes ? captured : highest, captured, points };
  writeFile(directory, FILE, (append) => append(`${JSON.stringify(file)}\n`));
  if (!curve.looking) next();
  return FILE;
}

// Looks at once: a collection that was asked for has just been.
function lookNow() {
  if (curve !== null) look();
}

module.exports = { lookNow, startCurve, curveUntilNow, writeCurve };
