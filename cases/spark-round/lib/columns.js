// Columns: the values of one field of many records, side by side, without an
// object for each record. All columns have put, get and seal.

const FIRST_CAPACITY = 1024

const WIDER = new Map([
  [Uint8Array, Uint16Array],
  [Uint16Array, Uint32Array],
  [Uint32Array, Float64Array],
  [Int32Array, Float64Array]
])

/** Numbers: of one width, until one comes that does not fit. */
export class NumberColumn {
  #values

  /** @param {Function} TypedArray e.g. Int32Array; values should fit it */
  constructor(TypedArray) {
    this.#values = new TypedArray(FIRST_CAPACITY)
  }

  put(row, value) {
    if (row >= this.#values.length) this.#resize(this.#values.length * 2)
    this.#values[row] = value
    // Typed arrays wrap or round what does not fit; a column must not do so silently.
    while (!Object.is(this.#values[row], value)) {
      const Wider = WIDER.get(this.#values.constructor)
      if (Wider === undefined) throw new RangeError(`${value} does not fit a ${this.#values.constructor.name}`)
      this.#values = Wider.from(this.#values)
      this.#values[row] = value
    }
  }

  get(row) {
    return this.#values[row]
  }

  /** Gives back the room kept for more values. */
  seal(rows) {
    this.#resize(rows)
  }

  #resize(capacity) {
    const values = new this.#values.constructor(capacity)
    values.set(this.#values.subarray(0, capacity))
    this.#values = values
  }
}

/** Numbers or null, which is kept as a number that hardly ever comes. */
export class NullableNumberColumn {
  #numbers
  #nullValue

  constructor(TypedArray, nullValue) {
    this.#numbers = new NumberColumn(TypedArray)
    this.#nullValue = nullValue
  }

  put(row, value) {
    if (value === this.#nullValue) this.#keepNullAsNaN(row)
    this.#numbers.put(row, value ?? this.#nullValue)
  }

  get(row) {
    const value = this.#numbers.get(row)
    return Object.is(value, this.#nullValue) ? null : value
  }

  seal(rows) {
    this.#numbers.seal(rows)
  }

  /** The number that stood for null has come: from now on NaN does, which is in no JSON. */
  #keepNullAsNaN(rows) {
    const numbers = new NumberColumn(Float64Array)
    for (let row = 0; row < rows; row++) numbers.put(row, this.get(row) ?? NaN)
    this.#numbers = numbers
    this.#nullValue = NaN
  }
}

/** True or false. */
export class BooleanColumn {
  #bytes = new NumberColumn(Uint8Array)

  put(row, value) {
    this.#bytes.put(row, value ? 1 : 0)
  }

  get(row) {
    return this.#bytes.get(row) === 1
  }

  seal(rows) {
    this.#bytes.seal(rows)
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

  put(row, text) {
    let code = this.#codeOf.get(text)
    if (code === undefined) {
      code = this.#texts.length
      this.#codes.put(row, code)
      this.#codeOf.set(text, code)
      this.#texts.push(text)
    } else {
      this.#codes.put(row, code)
    }
  }

  get(row) {
    return this.#texts[this.#codes.get(row)]
  }

  /** No text can be added afterwards: only reading needs no way back from text to code. */
  seal(rows) {
    this.#codes.seal(rows)
    this.#codeOf = null
  }
}
