'use strict';

// How many entries maps and sets have, and how long arrays, views and strings are.

const { isMap, isDataView } = require('node:util').types;

const PIECE = 1 << 13;

// The originals, whatever the program or a subclass makes of `size` and `byteLength`.
const { bind, call } = Function.prototype;
const getter = (prototype, name) => bind.call(call, Object.getOwnPropertyDescriptor(prototype, name).get);
const sizeOfMap = getter(Map.prototype, 'size');
const sizeOfSet = getter(Set.prototype, 'size');
const bytesOfArray = getter(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength');
const bytesOfDataView = getter(DataView.prototype, 'byteLength');
// What stands for a count that is not known; one of this many or more is not recorded.
const UNKNOWN = 0xffffffff;

const entries = (table) => (isMap(table) ? sizeOfMap(table) : sizeOfSet(table));
const length = (arrayOrText) => arrayOrText.length;

function bytes(view) {
  try {
    const length = isDataView(view) ? bytesOfDataView(view) : bytesOfArray(view);
    return length < UNKNOWN ? length : UNKNOWN;
  } catch {
    return 0; // a DataView whose buffer was handed over
  }
}

// `append` gets a JSON array of what `count` says of each object, a line for every few thousand.
function writeCounts(objects, count, append) {
  let line = '[';
  for (let i = 0; i < objects.length; i++) {
    if (i > 0) line += ',';
    if (i > 0 && i % PIECE === 0) {
      append(`${line}\n`);
      line = '';
    }
    line += count(objects[i]);
  }
  append(`${line}]\n`);
}

module.exports = { UNKNOWN, bytes, entries, length, writeCounts };
