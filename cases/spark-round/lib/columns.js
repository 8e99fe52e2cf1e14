// Columns: the values of one field of many records, side by side, without an
// object for each record. All columns have push, get and seal.

const FIRST_CAPACITY = 1024

/** Numbers of one width. */
export class NumberColumn {
  #values
  #length = 0

  /** @param {Function} TypedArray e.g. Int32Array; values must fit it */
  constructor(TypedArray) {
    this.#values = new TypedArray(FIRST_CAPACITY)
  }

  push(value) {
    if (this.#length === this.#values.length) this.#resize(this.#length * 2)
    this.#values[this.#length] = value
    // Typed arrays wrap or round what does not fit; a column must not do so silently.
    if (this.#values[this.#length] !== value) {
      throw new RangeError(`${value} does not fit a ${this.#values.constructor.name}`)
    }
    this.#length++
  }

  get(row) {
    return this.#values[row]
  }

  /** Gives back the room kept for more values. */
  seal() {
    this.#resize(this.#length)
  }

  #resize(capacity) {
    const values = new this.#values.constructor(capacity)
    values.set(this.#values.subarray(0, this.#length))
    this.#values = values
  }
}

/** Numbers or null, which is kept as a number that never comes. */
export class NullableNumberColumn {
  #numbers
  #nullValue

  constructor(TypedArray, nullValue) {
    this.#numbers = new NumberColumn(TypedArray)
    this.#nullValue = nullValue
  }

  push(value) {
    if (value === this.#nullValue) throw new RangeError(`${value} stands for null`)
    this.#numbers.push(value ?? this.#nullValue)
  }

  get(row) {
    const value = this.#numbers.get(row)
    return value === this.#nullValue ? null : value
  }

  seal() {
    this.#numbers.seal()
  }
}

/** True or false. */
export class BooleanColumn {
  #bytes = new NumberColumn(Uint8Array)

  push(value) {
    this.#bytes.push(value ? 1 : 0)
  }

  get(row) {
    return this.#bytes.get(row) === 1
  }

  seal() {
    this.#bytes.seal()
  }
}

/** Texts (or null) of which few differ: a code for each row, and each text once. */
export class DictionaryColumn {
  #codes
  #codeOf = new Map()
  #texts = []

  /** @param {Function} TypedArray Uint8Array for up to 256 distinct texts, Uint16Array for up to 65,536 */
  constructor(TypedArray) {
    this.#codes = new NumberColumn(TypedArray)
  }

  push(text) {
    let code = this.#codeOf.get(text)
    if (code === undefined) {
      code = this.#texts.length
      this.#codes.push(code)
      this.#codeOf.set(text, code)
      this.#texts.push(text)
    } else {
      this.#codes.push(code)
    }
  }

  get(row) {
    return this.#texts[this.#codes.get(row)]
  }

  /** No text can be added afterwards: only reading needs no way back from text to code. */
  seal() {
    this.#codes.seal()
    this.#codeOf = null
  }
}
