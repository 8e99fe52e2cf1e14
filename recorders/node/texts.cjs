'use strict';

// A sample of the strings that objects hold, as a heap snapshot does not say how long a slice of a string is.
//
// Only lengths are asked for: a look at the characters of a string that was joined would make a copy of all of them.

const { types } = require('node:util');

// V8 makes slices from so many characters on.
const LEAST = 13;
// So many are kept, no more.
const MOST = 1 << 18;
// Places that are looked at: a plain object with all its fields, an element of an array, an entry of a map or set.
const LOOKS = 1 << 17;
// An array or table counts as no more places than this, however many it has.
const MOST_PLACES = 1 << 20;
// The list is gone through so often, each time at other places of it, so that a sample that is cut short by the time
// it may take is no less even.
const PASSES = 4;
const BUDGET_MS = 500;
// Between two looks at the clock.
const UNTIMED = 1 << 10;

const { getOwnPropertyDescriptor, hasOwn } = Object;
const { ownKeys } = Reflect;
const { isArray } = Array;
const { floor, imul, max, min } = Math;
const { isMap, isSet, isProxy, isArrayBufferView, isAnyArrayBuffer, isBoxedPrimitive, isNativeError } = types;
const { now } = performance;

// The originals, whatever the program makes of them.
const { bind, call } = Function.prototype;
const uncurried = (method) => bind.call(call, method);
const forEachOfMap = uncurried(Map.prototype.forEach);
const forEachOfSet = uncurried(Set.prototype.forEach);
const sizeOfMap = uncurried(getOwnPropertyDescriptor(Map.prototype, 'size').get);
const sizeOfSet = uncurried(getOwnPropertyDescriptor(Set.prototype, 'size').get);
const clock = uncurried(now);

// Gives the strings and whether they are all that there are. `list` has the objects to look into. No line of the
// program runs in here: no iterator, accessor, method or proxy of its own.
function sampleTexts(list) {
  const places = new Float64Array(list.length);
  let all = 0;
  for (let i = 0; i < list.length; i++) all += places[i] = placesOf(list[i]);
  const stride = max(1, all / LOOKS);
  const sample = new Sample();
  let complete = stride === 1;
  const deadline = clock(performance) + BUDGET_MS;
  let untimed = UNTIMED;
  for (let pass = 0; pass < PASSES; pass++) {
    // One place of each `stride` is looked at, and of so many of these one a pass; not always the same one: programs have
    // their data in step.
    let block = 0;
    let next = floor((cellOf(block, pass) + sample.random()) * stride);
    let start = 0;
    for (let i = 0; i < list.length; i++) {
      const end = start + places[i];
      if (next < end) {
        const picked = [];
        while (next < end) {
          picked[picked.length] = next - start;
          block++;
          next = floor((cellOf(block, pass) + sample.random()) * stride);
        }
        look(list[i], places[i], picked, sample);
        untimed -= picked.length;
        if (untimed < 0) {
          if (clock(performance) > deadline) return { texts: sample.texts, complete: false };
          untimed = UNTIMED;
        }
      }
      start = end;
    }
  }
  complete = complete && sample.share === 1;
  return { texts: sample.texts, complete };
}

// The cell of a block of `PASSES` cells that a pass looks at: each pass at another, and from where is a matter of chance.
function cellOf(block, pass) {
  let mixed = imul(block ^ (block >>> 15), 0x2c1b3c6d);
  mixed = imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return block * PASSES + ((pass + (mixed >>> 24)) % PASSES);
}

// How many places an object counts for.
function placesOf(object) {
  if (isArray(object)) return startsWithOthers(object) ? 0 : min(object.length, MOST_PLACES);
  if (isMap(object)) return min(sizeOfMap(object), MOST_PLACES);
  if (isSet(object)) return min(sizeOfSet(object), MOST_PLACES);
  return isPlain(object) ? 1 : 0;
}

// An array that begins with an object or a number most often has no strings.
function startsWithOthers(array) {
  const first = getOwnPropertyDescriptor(array, 0);
  if (first === undefined) return false;
  const type = typeof first.value;
  return type === 'number' || (type === 'object' && first.value !== null) || type === 'function';
}

// Some fields of the engine's own objects are made when they are asked for: those of errors and buffers, of a global
// object (megabytes of library that the program may never use) and of the list of the library's sources.
function isPlain(object) {
  return (
    typeof object === 'object' &&
    !isProxy(object) &&
    !hasOwn(object, 'globalThis') &&
    !hasOwn(object, 'builtinIds') &&
    !isArrayBufferView(object) &&
    !isAnyArrayBuffer(object) &&
    !isBoxedPrimitive(object) &&
    !isNativeError(object)
  );
}

// Looks at the `picked` of an object's places, of which it has `places`.
function look(object, places, picked, sample) {
  try {
    if (isArray(object)) {
      const each = object.length / places;
      for (let i = 0; i < picked.length; i++) sample.addOwn(object, floor(picked[i] * each));
    } else if (isMap(object)) {
      const wanted = new Picked(picked, sizeOfMap(object) / places);
      forEachOfMap(object, (value, key) => {
        if (!wanted.isNext()) return;
        sample.add(key);
        sample.add(value);
      });
    } else if (isSet(object)) {
      const wanted = new Picked(picked, sizeOfSet(object) / places);
      forEachOfSet(object, (value) => {
        if (wanted.isNext()) sample.add(value);
      });
    } else {
      // Not getOwnPropertyNames, which leaves a list of the names with each hidden class it meets.
      const names = ownKeys(object);
      for (let i = 0; i < names.length; i++) {
        // Asked for, the stack of an error is put into words, by the program if it likes.
        if (names[i] !== 'stack') sample.addOwn(object, names[i]);
      }
    }
  } catch {
    // an object of the engine's with a will of its own
  }
}

// Tells, entry by entry, which were picked.
class Picked {
  constructor(picked, each) {
    this.picked = picked;
    this.each = each;
    this.entry = -1;
    this.at = 0;
  }

  isNext() {
    this.entry++;
    if (this.at >= this.picked.length || this.entry < floor(this.picked[this.at] * this.each)) return false;
    this.at++;
    return true;
  }
}

// At most `MOST` strings. When there are more, every other goes, and of those to come as many.
class Sample {
  constructor() {
    this.texts = [];
    this.share = 1; // one of so many is kept
    this.seed = 0x2545f491;
  }

  // Below 1, the same numbers each time (xorshift).
  random() {
    this.seed ^= this.seed << 13;
    this.seed ^= this.seed >>> 17;
    this.seed ^= this.seed << 5;
    return (this.seed >>> 0) / 0x100000000;
  }

  addOwn(object, name) {
    const own = getOwnPropertyDescriptor(object, name);
    if (own !== undefined) this.add(own.value);
  }

  add(value) {
    if (typeof value !== 'string' || value.length < LEAST) return;
    if (this.share > 1 && this.random() * this.share >= 1) return;
    if (this.texts.length >= MOST) this.thin();
    this.texts[this.texts.length] = value;
  }

  thin() {
    const { texts } = this;
    const left = floor(texts.length / 2);
    for (let i = 0; i < left; i++) texts[i] = texts[2 * i + (this.random() < 0.5 ? 0 : 1)];
    texts.length = left;
    this.share *= 2;
  }
}

module.exports = { sampleTexts };
