'use strict';

// Finds the objects of which a heap snapshot shows too little: buffers (not their contents), views on them (not their
// length), maps and sets (not how many entries they have), arrays of numbers (not their length), and slices of strings
// (not their length).
//
// Whatever is asked for, the engine walks the whole heap, and the walk is what costs. So there is one for all, over
// everything that inherits from Object.prototype; without those to be counted one for each sort of buffer, and of a
// large heap only if there is something to be found.

const { types } = require('node:util');
const { fail } = require('./fail.cjs');
const { withSession, post } = require('./session.cjs');
const { sampleTexts } = require('./texts.cjs');
const { availableMemory } = require('./totals.cjs');

// Of a heap beyond this many bytes, buffers that make up less than this share are left alone.
const SMALL_HEAP = 20e6;
const WORTH_A_WALK = 0.001;
// The walk over everything needs up to this many bytes beside the heap for each byte of it. Measured; see README.md.
const FACTOR = 3;
// The name under which the inspector holds what was found.
const GROUP = 'deadweight';
// So many of a sort are kept, no more.
const MOST = 1 << 22;

const { defineProperty, getOwnPropertyDescriptor } = Object;
const { isArray } = Array;
const { max } = Math;
const { isMap, isSet, isAnyArrayBuffer, isArrayBufferView } = types;

// What was found: `complete` is false when there were more of a sort than are kept; null where nobody looked. Of texts
// there may be a sample only, which `everyText` says. `moved` are the bytes of small typed arrays that the walk moved
// out of the heap: it asks each for its buffer, and only then does an array of up to 64 bytes get one.
function nothing() {
  const found = { buffers: [], tables: null, arrays: null, views: null, texts: null };
  return { ...found, complete: true, everyText: true, moved: 0 };
}

function find(settings) {
  const memory = process.memoryUsage();
  if (settings.tables && hasRoom(settings, memory)) {
    let sorted = nothing();
    walk(['Object'], (list) => {
      const moved = process.memoryUsage().arrayBuffers - memory.arrayBuffers;
      sorted = sort(list);
      sorted.moved = max(0, moved);
      if (settings.texts) addTexts(list, sorted);
    });
    return sorted;
  }
  const found = nothing();
  if (settings.probeMs > 0) walk(worthIt(memory, found.buffers), (list) => addBuffers(list, found.buffers));
  return found;
}

function hasRoom(settings, { heapUsed }) {
  const available = settings.force ? null : availableMemory();
  return available === null || heapUsed * FACTOR <= available;
}

function* worthIt({ heapUsed, external, arrayBuffers }, found) {
  const worth = (bytes) => heapUsed < SMALL_HEAP || bytes >= heapUsed * WORTH_A_WALK;
  if (worth(external)) yield 'ArrayBuffer';
  if (worth(arrayBuffers - sizeOf(found))) yield 'SharedArrayBuffer';
}

// Gives `take` an array of the live objects of the main context that inherit from each type's prototype.
function walk(typeNames, take) {
  const channel = `__deadweight_${process.pid}_${Date.now()}`;
  // Remote functions see only globals. This one is gone again before any line of the program can run.
  defineProperty(globalThis, channel, { value: take, configurable: true });
  try {
    withSession((session) => {
      for (const type of typeNames) {
        const prototype = post(session, 'Runtime.evaluate', { expression: `${type}.prototype`, objectGroup: GROUP }).result;
        const { objects } = post(session, 'Runtime.queryObjects', {
          prototypeObjectId: prototype.objectId,
          objectGroup: GROUP,
        });
        post(session, 'Runtime.callFunctionOn', {
          objectId: objects.objectId,
          functionDeclaration: `function () { globalThis[${JSON.stringify(channel)}](this); }`,
        });
      }
      // What the session holds would stay alive as long as it does.
      post(session, 'Runtime.releaseObjectGroup', { objectGroup: GROUP });
    });
  } finally {
    delete globalThis[channel];
  }
}

// No line of the program runs in here: no iterator, accessor or method that it could have changed is used.
function sort(list) {
  const found = { ...nothing(), tables: [], arrays: [], views: [] };
  const { buffers, tables, arrays, views } = found;
  for (let i = 0; i < list.length; i++) {
    const object = list[i];
    if (isArray(object)) {
      if (!mayHideItsLength(object)) continue;
      if (arrays.length < MOST) arrays[arrays.length] = object;
      else found.complete = false;
    } else if (isMap(object) || isSet(object)) {
      if (tables.length < MOST) tables[tables.length] = object;
      else found.complete = false;
    } else if (isArrayBufferView(object)) {
      if (views.length < MOST) views[views.length] = object;
      else found.complete = false;
    } else if (isAnyArrayBuffer(object)) addBuffer(object, buffers);
  }
  return found;
}

function addTexts(list, found) {
  try {
    const { texts, complete } = sampleTexts(list);
    found.texts = texts;
    found.everyText = complete;
  } catch (error) {
    fail('the lengths of strings were not recorded', error);
  }
}

// Elements that are objects are shown, and an array that begins with one most often has no others.
function mayHideItsLength(array) {
  if (array.length === 0) return true;
  const first = getOwnPropertyDescriptor(array, 0);
  return first === undefined || typeof first.value === 'number';
}

function addBuffers(list, found) {
  for (let i = 0; i < list.length; i++) addBuffer(list[i], found);
}

function addBuffer(buffer, found) {
  try {
    if (buffer.byteLength > 0) found[found.length] = buffer;
  } catch {
    // an object that has the prototype but is no buffer
  }
}

function sizeOf(buffers) {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

module.exports = { find, nothing, sizeOf };
