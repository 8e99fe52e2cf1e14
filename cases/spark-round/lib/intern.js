// One copy of each text for a whole round. JSON.parse makes a new string for
// each value it reads; looking it up first keeps one and lets the copies go.

const TEXT_FIELDS = [
  'spark_version',
  'zinnia_version',
  'participant_address',
  'attestation',
  'inet_group',
  'cid',
  'provider_address',
  'protocol'
]

export class Interner {
  #strings = new Map()
  #limit

  /** @param {number} limit distinct strings to hold at most; further ones pass through */
  constructor(limit = 100_000) {
    this.#limit = limit
  }

  /** The first text equal to this one; null and undefined as they are. */
  intern(text) {
    if (text === null || text === undefined) return text
    const known = this.#strings.get(text)
    if (known !== undefined) return known
    if (this.#strings.size < this.#limit) this.#strings.set(text, text)
    return text
  }

  /** Puts the one copy into each text field of a record, in place. */
  internFields(record) {
    for (const field of TEXT_FIELDS) record[field] = this.intern(record[field])
    return record
  }

  /** Drops the table at the round's end: the strings live on where they are used. */
  clear() {
    this.#strings.clear()
  }
}
