'use strict';

// What posting may cost the process: a service that is over one of its budgets skips, and says why.

const USUAL = { maxPauseMs: 1000, maxCpu: 0.01, maxBytes: 500e6 };

// What a capture of objects took where it was measured, in milliseconds a megabyte: what is expected of the first one.
const MS_A_MEGABYTE = Number(process.versions.node.split('.')[0]) <= 18 ? 720 : 110;

function budgets(given) {
  const strange = Object.keys(given).find((name) => !(name in USUAL));
  if (strange !== undefined) throw new TypeError(`post knows no budget ${strange}, but ${Object.keys(USUAL).join(', ')}`);
  for (const [name, value] of Object.entries(given)) {
    if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${name} must be a number above 0; it is ${value}`);
  }
  return { ...USUAL, ...given };
}

class Spent {
  #cpuMs = 0;
  #last = null;

  // Why a capture of so many bytes would cost more than it may after `upMs`; null where it would not.
  refuses(bytes, upMs, { maxPauseMs, maxCpu, maxBytes }) {
    if (bytes > maxBytes) return `${bytes} bytes are in use, more than ${maxBytes}`;
    const pause = this.expected(bytes);
    if (pause > maxPauseMs) return `a capture of ${bytes} bytes would stop the process for ${Math.round(pause)} ms, more than ${maxPauseMs}`;
    const share = (this.#cpuMs + this.#expectedCpu(pause)) / upMs;
    if (share > maxCpu) return `captures would have taken ${(share * 100).toFixed(2)} % of a processor, more than ${maxCpu * 100} %`;
    return null;
  }

  expected(bytes) {
    if (this.#last === null) return (bytes / 1e6) * MS_A_MEGABYTE;
    return (this.#last.pauseMs * bytes) / this.#last.bytes;
  }

  // To weigh takes no longer than to capture, unless the last one did.
  #expectedCpu(pause) {
    return this.#last === null ? 2 * pause : (pause * (this.#last.pauseMs + this.#last.weighMs)) / this.#last.pauseMs;
  }

  add(bytes, pauseMs, weighMs) {
    this.#cpuMs += pauseMs + weighMs;
    this.#last = { bytes: Math.max(bytes, 1), pauseMs: Math.max(pauseMs, 1), weighMs };
  }
}

module.exports = { Spent, budgets };
