'use strict';

// What the process says of itself. All figures are bytes unless their name says otherwise.

const v8 = require('node:v8');
const { readFileSync } = require('node:fs');

function totals({ heapUsed, heapTotal, external, arrayBuffers }) {
  const heap = v8.getHeapStatistics();
  return {
    heap_used: heapUsed,
    heap_total: heapTotal,
    external,
    array_buffers: arrayBuffers,
    malloced: heap.malloced_memory,
    heap_limit: heap.heap_size_limit,
    contexts: heap.number_of_native_contexts,
    detached_contexts: heap.number_of_detached_contexts,
    heap_spaces: v8.getHeapSpaceStatistics().map((space) => ({
      name: space.space_name,
      size: space.space_size,
      used: space.space_used_size,
      available: space.space_available_size,
      physical: space.physical_space_size,
    })),
  };
}

// What is resident now. Walking a large heap takes memory, which would count as the program's afterwards.
function resident() {
  return { rss: process.memoryUsage.rss(), smaps: smaps() };
}

// /proc/self/smaps_rollup as {rss, pss, private_dirty, …}, or null where there is none.
function smaps() {
  const rollup = {};
  for (const [, name, kilobytes] of read('/proc/self/smaps_rollup').matchAll(/^(\w+):\s+(\d+) kB$/gm)) {
    rollup[name.toLowerCase()] = Number(kilobytes) * 1024;
  }
  return Object.keys(rollup).length > 0 ? rollup : null;
}

// The most memory the process ever had resident; what its parent had when it was made does not count.
function peakRss() {
  const most = /^VmHWM:\s+(\d+) kB$/m.exec(read('/proc/self/status'));
  return (most ? Number(most[1]) : process.resourceUsage().maxRSS) * 1024;
}

// What was there before the program's first line, and what came where a heap snapshot does not look.
let base = null;
let workers = 0;
let own = null;

// A thread of the recorder's is none of the program's.
function disown(worker) {
  own = worker;
}

function isOwn(worker) {
  return worker === own;
}

function begin() {
  base = process.memoryUsage.rss();
  process.on('worker', (worker) => worker !== own && workers++);
}

function beside() {
  return { rss_base: base, workers };
}

// Bytes the process may still take before the machine or its container runs out; null when unknown.
function availableMemory() {
  if (typeof process.availableMemory === 'function') return process.availableMemory();
  const free = /^MemAvailable:\s+(\d+) kB$/m.exec(read('/proc/meminfo'));
  if (free === null) return null;
  const limit = typeof process.constrainedMemory === 'function' ? process.constrainedMemory() : undefined;
  const left = limit ? limit - process.memoryUsage.rss() : Infinity;
  return Math.max(0, Math.min(Number(free[1]) * 1024, left));
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function workersStarted() {
  return workers;
}

module.exports = { begin, disown, isOwn, beside, workersStarted, totals, resident, peakRss, availableMemory };
