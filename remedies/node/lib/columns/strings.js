'use strict'

const { Column, resized } = require('./column.js')

/** V8's Map takes no more. */
const MAX_TEXTS = 2 ** 24

/**
 * Texts: each distinct one once, and a code for each row. Codes take one byte up to
 * 256 distinct texts, two up to 65,536, then four.
 */
class StringColumn extends Column {
  static expected = 'a text'

  constructor(maxTexts = MAX_TEXTS) {
    super(Uint8Array)
    this.maxTexts = maxTexts
    /** @type {string[]} by code */
    this.texts = []
    /** @type {Map<string, number> | null} null until it is needed, and after `trim` */
    this.codeOf = null
  }

  /** The code of a known text. A new text is kept as it is until it is written: only then is it sure to stay. */
  keep(value) {
    if (typeof value !== 'string') return undefined
    return this.#codeOf().get(value) ?? value
  }

  room(rows, kept) {
    const TypedArray = this.#isNew(kept) ? this.#typeForOneMore() : this.values.constructor
    if (TypedArray === this.values.constructor) return super.room(rows)
    return resized(this.values, rows, TypedArray)
  }

  read(row) {
    return this.texts[this.values[row]]
  }

  write(row, kept) {
    this.values[row] = typeof kept === 'string' ? this.#codeFor(kept) : kept
  }

  /** Drops the table of codes and the list's spare slots. */
  trim() {
    this.codeOf = null
    this.texts = this.texts.slice()
  }

  #codeOf() {
    return (this.codeOf ??= new Map(this.texts.map((text, code) => [text, code])))
  }

  /** Looked up again: a row that came in since `keep` may have brought the text. */
  #isNew(kept) {
    return typeof kept === 'string' && !this.#codeOf().has(kept)
  }

  #typeForOneMore() {
    const count = this.texts.length + 1
    if (count > this.maxTexts) throw new RangeError(`a field has at most ${this.maxTexts} distinct texts`)
    if (count <= 2 ** 8) return Uint8Array
    return count <= 2 ** 16 ? Uint16Array : Uint32Array
  }

  #codeFor(text) {
    const codeOf = this.#codeOf()
    let code = codeOf.get(text)
    if (code === undefined) {
      code = this.texts.length
      codeOf.set(text, code)
      this.texts.push(text)
    }
    return code
  }
}

module.exports = { StringColumn }
