'use strict';

// What a buffer holds, without a byte of it leaving the process: how much of it is zero, and a hash.

const PAGE_BYTES = 4096;
const PAGE_WORDS = PAGE_BYTES / 4; // in 32-bit words
const LINE_BYTES = 64;
const LINE_WORDS = LINE_BYTES / 4;
const PAGES_PER_CHECK = 256; // 1 MiB between two looks at the clock
const ZERO_PAGE_MARK = 0x5a17f00d;

const { imul } = Math;

function zeroBytesOf(word) {
  return (
    ((word & 0xff) === 0 ? 1 : 0) +
    ((word & 0xff00) === 0 ? 1 : 0) +
    ((word & 0xff0000) === 0 ? 1 : 0) +
    ((word & 0xff000000) === 0 ? 1 : 0)
  );
}

// Two 32-bit lanes, each step of which is a bijection of the lane and of the word: buffers of one length that
// differ in a single word always differ in both lanes.
class Tally {
  constructor(bytes) {
    this.zeroBytes = 0;
    this.nonzeroWords = 0; // of 8 bytes
    this.zeroPageBytes = 0;
    this.zeroLines = 0;
    this.high = bytes | 0;
    this.low = ~bytes;
  }

  // One page: PAGE_WORDS words of `words` from `start`.
  page(words, start) {
    const end = start + PAGE_WORDS;
    let first = start;
    while (first < end && words[first] === 0) first++;
    if (first === end) {
      this.zeroBytes += PAGE_BYTES;
      this.zeroPageBytes += PAGE_BYTES;
      this.zeroLines += PAGE_BYTES / LINE_BYTES;
      this.high = imul(this.high ^ ZERO_PAGE_MARK, 0x9e3779b1);
      this.low = imul(this.low + ZERO_PAGE_MARK, 0xc2b2ae3d);
      return;
    }
    let { zeroBytes, nonzeroWords, zeroLines, high, low } = this;
    for (let line = start; line < end; line += LINE_WORDS) {
      let anyInLine = 0;
      for (let at = line; at < line + LINE_WORDS; at += 2) {
        const a = words[at];
        const b = words[at + 1];
        if ((a | b) === 0) zeroBytes += 8;
        else {
          anyInLine = 1;
          nonzeroWords++;
          zeroBytes += zeroBytesOf(a) + zeroBytesOf(b);
        }
        high = imul(high ^ a, 0x9e3779b1);
        high = imul(((high << 13) | (high >>> 19)) ^ b, 0x85ebca77);
        high = (high << 11) | (high >>> 21);
        low = imul(low + a, 0xc2b2ae3d);
        low = imul(((low << 17) | (low >>> 15)) + b, 0x27d4eb2f);
        low = (low << 7) | (low >>> 25);
      }
      if (anyInLine === 0) zeroLines++;
    }
    this.zeroBytes = zeroBytes;
    this.nonzeroWords = nonzeroWords;
    this.zeroLines = zeroLines;
    this.high = high;
    this.low = low;
  }

  // A last page shorter than the others, given as its bytes.
  shortPage(bytes) {
    const padded = new Uint32Array(PAGE_WORDS);
    new Uint8Array(padded.buffer).set(bytes);
    const before = this.zeroPageBytes;
    this.page(padded, 0);
    const padding = PAGE_BYTES - bytes.length;
    this.zeroBytes -= padding;
    this.zeroLines -= Math.floor(padding / LINE_BYTES);
    if (this.zeroPageBytes > before) this.zeroPageBytes -= padding;
  }

  hash() {
    return hex(finish(this.high)) + hex(finish(this.low ^ this.high));
  }
}

function finish(lane) {
  let mixed = imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(word) {
  return word.toString(16).padStart(8, '0');
}

// The facts of one ArrayBuffer or SharedArrayBuffer, or null when `late()` says that time is up.
// Pages, lines and words count from the buffer's first byte, wherever that lies in memory.
function scan(buffer, late) {
  const bytes = buffer.byteLength;
  const pages = Math.floor(bytes / PAGE_BYTES);
  const words = new Uint32Array(buffer, 0, pages * PAGE_WORDS);
  const tally = new Tally(bytes);
  for (let page = 0; page < pages; page++) {
    if (page % PAGES_PER_CHECK === 0 && late()) return null;
    tally.page(words, page * PAGE_WORDS);
  }
  if (pages * PAGE_BYTES < bytes) tally.shortPage(new Uint8Array(buffer, pages * PAGE_BYTES));
  return tally;
}

module.exports = { scan };
