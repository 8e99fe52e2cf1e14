'use strict';

// The buffer probe: a heap snapshot has the length of an ArrayBuffer but not its contents.

const { scan } = require('./scan.cjs');
const { withSession, post } = require('./session.cjs');

// Of a heap beyond this many bytes, buffers that make up less than this share are left alone.
const SMALL_HEAP = 20e6;
const WORTH_A_WALK = 0.001;

const { now } = performance;
const { defineProperty } = Object;

// Held while the snapshot is written. `buffers[i]` is the buffer of row i of buffers.ndjson; `gc` keeps alive the
// context it came from. A reader finds this object by its class and charges none of it to the program.
class DeadweightProbe {
  constructor(gc) {
    this.buffers = [];
    this.gc = gc;
  }
}

// Every live ArrayBuffer and SharedArrayBuffer of the main context that has bytes.
//
// Each question walks the whole heap, so of a large one it is asked only if there is something to be found.
function findBuffers({ heapUsed, external, arrayBuffers }) {
  const found = [];
  const worthIt = (bytes) => heapUsed < SMALL_HEAP || bytes >= heapUsed * WORTH_A_WALK;
  const expected = { ArrayBuffer: () => external, SharedArrayBuffer: () => arrayBuffers - sizeOf(found) };
  const channel = `__deadweight_${process.pid}_${Date.now()}`;
  // Remote functions see only globals. This one is gone again before any line of the program can run.
  defineProperty(globalThis, channel, { value: (list) => collect(list, found), configurable: true });
  try {
    withSession((session) => {
      for (const type of ['ArrayBuffer', 'SharedArrayBuffer']) {
        if (!worthIt(expected[type]())) continue;
        const prototype = post(session, 'Runtime.evaluate', { expression: `${type}.prototype` }).result;
        const { objects } = post(session, 'Runtime.queryObjects', { prototypeObjectId: prototype.objectId });
        post(session, 'Runtime.callFunctionOn', {
          objectId: objects.objectId,
          functionDeclaration: `function () { globalThis[${JSON.stringify(channel)}](this); }`,
        });
      }
    });
  } finally {
    delete globalThis[channel];
  }
  return found;
}

function sizeOf(buffers) {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function collect(list, found) {
  for (const buffer of list) {
    try {
      if (buffer.byteLength > 0) found.push(buffer);
    } catch {
      // an object that has the prototype but is no buffer
    }
  }
}

// Scans the buffers, the largest first, until `budgetMs` is spent on it; finding them is not counted. `append`
// gets one JSON line for each. The answer says whether all that were found were scanned; those that were are in
// `holder.buffers`, in the order of the rows.
function probe(holder, budgetMs, append) {
  const start = now.call(performance);
  const memory = process.memoryUsage();
  const found = findBuffers(memory).sort((a, b) => b.byteLength - a.byteLength);
  const walked = now.call(performance);
  const deadline = walked + budgetMs;
  const late = () => now.call(performance) > deadline;
  let lines = '';
  let complete = true;
  for (const buffer of found) {
    const tally = late() ? null : attempt(buffer, late);
    if (tally === null) {
      complete = false;
      if (late()) break;
      continue;
    }
    lines += row(holder.buffers.length, buffer, tally);
    holder.buffers.push(buffer);
    if (lines.length > 1 << 16) {
      append(lines);
      lines = '';
    }
  }
  append(lines);
  return {
    count: holder.buffers.length,
    found: found.length,
    complete,
    bytes: sizeOf(holder.buffers),
    walk_seconds: (walked - start) / 1000,
    seconds: (now.call(performance) - start) / 1000,
  };
}

function attempt(buffer, late) {
  try {
    return scan(buffer, late);
  } catch {
    return null; // detached meanwhile, or memory that cannot be viewed
  }
}

function row(index, buffer, tally) {
  return `${JSON.stringify({
    index,
    bytes: buffer.byteLength,
    zero_bytes: tally.zeroBytes,
    nonzero_words: tally.nonzeroWords,
    zero_page_bytes: tally.zeroPageBytes,
    zero_lines: tally.zeroLines,
    hash: tally.hash(),
    shared: !(buffer instanceof ArrayBuffer),
  })}\n`;
}

module.exports = { DeadweightProbe, probe };
