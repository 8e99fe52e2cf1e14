'use strict'

const DEFAULT_MAX_ENTRIES = 100_000
const DEFAULT_MAX_LENGTH = 256

/**
 * Makes equal texts one string, for as long as a round of work lasts.
 *
 * Texts that are read or parsed are new strings each time, even where equal ones are
 * held already. `intern` gives back the first of them, and the new one becomes garbage.
 *
 * It is bounded, so that texts which never come again cannot fill it: once it holds
 * `maxEntries`, and for texts longer than `maxLength`, the text is given back as it came.
 * It is to be dropped (or cleared) when the round ends: texts stay one string without it.
 */
class Interner {
  #texts = new Map()
  #maxEntries
  #maxLength
  #copy

  /**
   * @param {object} [options]
   * @param {number} [options.maxEntries] how many distinct texts are kept
   * @param {number} [options.maxLength] longer texts are not looked up
   * @param {boolean} [options.copy] keeps copies: a text cut from a larger one holds all
   *   of it, a copy does not. Texts from JSON.parse or a buffer need none.
   */
  constructor({ maxEntries = DEFAULT_MAX_ENTRIES, maxLength = DEFAULT_MAX_LENGTH, copy = false } = {}) {
    this.#maxEntries = checkCount('maxEntries', maxEntries)
    this.#maxLength = checkCount('maxLength', maxLength)
    this.#copy = copy
  }

  /** How many distinct texts are kept. */
  get size() {
    return this.#texts.size
  }

  /** The first text equal to this one. Anything else than a text is given back as it is. */
  intern(value) {
    if (typeof value !== 'string' || value.length > this.#maxLength) return value
    const known = this.#texts.get(value)
    if (known !== undefined) return known
    if (this.#texts.size >= this.#maxEntries) return value
    const kept = this.#copy ? copyOf(value) : value
    this.#texts.set(kept, kept)
    return kept
  }

  /**
   * Interns fields of a record in place, and gives it back.
   *
   * @param {object} record
   * @param {string[]} [fields] all of its own, if not given. Naming them spares look-ups
   *   for texts that never repeat, and the room these would take.
   */
  internFields(record, fields = Object.keys(record)) {
    for (const field of fields) {
      const value = record[field]
      if (typeof value === 'string') record[field] = this.intern(value)
    }
    return record
  }

  /** Forgets all texts: the end of a round. */
  clear() {
    // A new table: a cleared one is not certain to give back all its room.
    this.#texts = new Map()
  }
}

// A symbol since Node 20; `using strings = new Interner()` then ends with its block.
if (Symbol.dispose) {
  Object.defineProperty(Interner.prototype, Symbol.dispose, {
    value() {
      this.clear()
    }
  })
}

function checkCount(name, value) {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a whole number above 0, not ${String(value)}`)
  }
  return value
}

/** An equal text that is no part of another, one byte a character where that is enough. */
function copyOf(text) {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}

module.exports = { Interner }
