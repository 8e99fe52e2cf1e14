'use strict'

const { grown } = require('./grow.js')

/**
 * Texts: each distinct one once, and a code for each row. Codes take one byte up to
 * 256 distinct texts, two up to 65,536, then four.
 */
class StringColumn {
  constructor() {
    this.codes = new Uint8Array(0)
    /** @type {string[]} by code */
    this.texts = []
    /** @type {Map<string, number> | null} null until it is needed, and after `trim` */
    this.codeOf = null
  }

  /** The codes alone. What the texts and the table of their codes take, V8 does not tell. */
  get byteLength() {
    return this.codes.byteLength
  }

  read(row) {
    return this.texts[this.codes[row]]
  }

  write(row, value) {
    if (typeof value !== 'string') throw new TypeError(`expected a text, not ${String(value)}`)
    this.codeOf ??= new Map(this.texts.map((text, code) => [text, code]))
    let code = this.codeOf.get(value)
    if (code === undefined) {
      code = this.texts.length
      this.#makeRoomFor(code)
      this.texts.push(value)
      this.codeOf.set(value, code)
    }
    this.codes[row] = code
  }

  resize(rows) {
    this.codes = grown(this.codes, rows)
  }

  /** Drops what only writing needs: the table of codes, and the list's spare slots. */
  trim() {
    this.codeOf = null
    this.texts = this.texts.slice()
  }

  #makeRoomFor(code) {
    const bytes = this.codes.BYTES_PER_ELEMENT
    if (bytes === 1 && code > 0xff) this.codes = grown(this.codes, this.codes.length, Uint16Array)
    else if (bytes === 2 && code > 0xffff) this.codes = grown(this.codes, this.codes.length, Uint32Array)
  }
}

module.exports = { StringColumn }
