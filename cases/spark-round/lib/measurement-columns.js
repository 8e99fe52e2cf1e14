import { BooleanColumn, DictionaryColumn, NullableNumberColumn, NumberColumn } from './columns.js'

const NO_TIME = -(2 ** 31)
const NO_STATUS = 0

function createColumns() {
  return {
    id: new NumberColumn(Uint32Array),
    spark_version: new DictionaryColumn(Uint8Array),
    zinnia_version: new DictionaryColumn(Uint8Array),
    participant_address: new DictionaryColumn(Uint16Array),
    finished_at: new NumberColumn(Int32Array),
    timeout: new BooleanColumn(),
    start_at: new NumberColumn(Int32Array),
    status_code: new NullableNumberColumn(Uint16Array, NO_STATUS),
    first_byte_at: new NullableNumberColumn(Int32Array, NO_TIME),
    end_at: new NullableNumberColumn(Int32Array, NO_TIME),
    // Retrievals stop far below 4 GiB. Doubles would hold any size, but be boxed
    // one by one when they are sorted.
    byte_length: new NumberColumn(Uint32Array),
    attestation: new DictionaryColumn(Uint16Array),
    inet_group: new DictionaryColumn(Uint16Array),
    car_too_large: new BooleanColumn(),
    cid: new DictionaryColumn(Uint16Array),
    provider_address: new DictionaryColumn(Uint16Array),
    protocol: new DictionaryColumn(Uint8Array),
    fraudAssessment: new DictionaryColumn(Uint8Array),
    retrievalResult: new DictionaryColumn(Uint8Array)
  }
}

/** Measurements kept as columns, with what a round needs of an array: push, length and iteration. */
export class MeasurementColumns {
  #columns = createColumns()
  #length = 0

  get length() {
    return this.#length
  }

  push(measurement) {
    // By row, not by what each column has: if one throws, the others stay in line.
    for (const field in this.#columns) this.#columns[field].put(this.#length, measurement[field])
    this.#length++
  }

  /** Yields one view, which moves from row to row: it must not be kept. */
  *[Symbol.iterator]() {
    const view = new MeasurementView(this.#columns)
    for (view.row = 0; view.row < this.#length; view.row++) yield view
  }

  /** To be called when nothing more will be added. */
  seal() {
    for (const column of Object.values(this.#columns)) column.seal(this.#length)
  }
}

class MeasurementView {
  row = 0
  #columns

  constructor(columns) {
    this.#columns = columns
  }

  static {
    for (const field of Object.keys(createColumns())) {
      Object.defineProperty(this.prototype, field, {
        get() {
          return this.#columns[field].get(this.row)
        }
      })
    }
  }
}
