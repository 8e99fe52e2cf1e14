'use strict';

// The buffer probe: a heap snapshot has the length of an ArrayBuffer but not its contents.

const { scan } = require('./scan.cjs');
const { sizeOf } = require('./find.cjs');

const { now } = performance;

// Held while the snapshot is written. `buffers[i]` is the buffer of row i of buffers.ndjson, `tables[i]` the map or
// set of number i in tables.json, `arrays[i]` the array of number i in arrays.json, `views[i]` the typed array of
// number i in views.json, `texts[i]` the string of number i in texts.json; `gc` keeps alive the context it came from. A
// reader finds this object by its class and charges none of it to the program.
class DeadweightProbe {
  constructor(gc, { tables, arrays, views, texts }) {
    this.buffers = [];
    this.tables = tables;
    this.arrays = arrays;
    this.views = views;
    this.texts = texts;
    this.gc = gc;
  }
}

// Scans the buffers, the largest first, until `budgetMs` is spent on it. `append` gets one JSON line for each. The
// answer says whether all that were found were scanned; those that were are in `holder.buffers`, in the order of the
// rows.
function probe(holder, buffers, budgetMs, append) {
  const start = now.call(performance);
  const found = buffers.sort((a, b) => b.byteLength - a.byteLength);
  const deadline = start + budgetMs;
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
