/** Makes equal texts one string, for as long as a round of work lasts. */
export class Interner {
  constructor(options?: {
    /** How many distinct texts are kept; 100,000 if not given. */
    maxEntries?: number
    /** Longer texts are not looked up; 256 if not given. */
    maxLength?: number
    /** Keep copies, so that a text cut from a larger one does not hold all of it. */
    copy?: boolean
  })
  readonly size: number
  /** The first text equal to this one; anything else than a text as it is. */
  intern<T>(value: T): T
  /** Interns fields of a record in place: those named, or all of its own. */
  internFields<T extends object>(record: T, fields?: ReadonlyArray<string & keyof T>): T
  /** Forgets all texts: the end of a round. */
  clear(): void
}

/** Another id: bson's own, or one of these. */
export interface ObjectIdLike {
  id?: string | Uint8Array
  toHexString(): string
}

export type ObjectIdInput =
  | string
  | number
  | ArrayBufferView
  | ObjectIdLike
  | { id: string | ArrayBufferView }
  | null
  | undefined

declare class ObjectIdBehaviour {
  /** Nothing: a new id. A number: the time of a new id, in seconds since 1970 (not with bson 7). */
  constructor(input?: ObjectIdInput)
  readonly _bsontype: 'ObjectId'
  /** The 12 bytes: the id's own if it is pooled, else in a new buffer; or replaces them. */
  get id(): Buffer
  set id(bytes: Uint8Array)
  readonly buffer: Buffer
  toHexString(): string
  toString(encoding?: 'hex' | 'base64'): string
  toJSON(): string
  toExtendedJSON(): { $oid: string }
  equals(other: unknown): boolean
  getTimestamp(): Date
  inspect(
    depth?: number,
    options?: unknown,
    inspect?: (value: unknown, options?: unknown) => string
  ): string
  /** Writes the 12 bytes at `at`. */
  serializeInto(bytes: Uint8Array, at: number): 12
  /** The bytes of a new id. */
  static generate(seconds?: number): Buffer
  static isValid(input: unknown): boolean
  /** Keeps hex texts once they were asked for; one switch for both classes. */
  static cacheHexString: boolean
}

/** An ObjectId in an array shared with others: 40 bytes, and 12 in the pool. */
export class PooledObjectId extends ObjectIdBehaviour {
  /** How many ids share an array, from the next array on. 1 gives each its own. */
  static poolSize: number
  static createFromHexString(text: string): PooledObjectId
  static createFromBase64(text: string): PooledObjectId
  static createFromTime(seconds: number): PooledObjectId
  static createPk(): PooledObjectId
  static fromExtendedJSON(document: { $oid: string }): PooledObjectId
}

/** An ObjectId whose bytes are three integers in its fields: 48 bytes. */
export class PackedObjectId extends ObjectIdBehaviour {
  static createFromHexString(text: string): PackedObjectId
  static createFromBase64(text: string): PackedObjectId
  static createFromTime(seconds: number): PackedObjectId
  static createPk(): PackedObjectId
  static fromExtendedJSON(document: { $oid: string }): PackedObjectId
}

/** Replaces bson's ids in a document that was read, in place. */
export function compactIds<T>(document: T, Id?: typeof PackedObjectId | typeof PooledObjectId): T

/** Makes ids behave as those of this bson package (6 if not called), and instances of its ObjectId. */
export function useBson(bson: { ObjectId: Function; BSONError?: Function }): void

export type ColumnType = 'int32' | 'float64' | 'boolean' | 'timestamp' | 'string'
export type FieldType = ColumnType | { type: ColumnType; nullable?: boolean }
export type Schema = Record<string, FieldType>

interface Read {
  int32: number
  float64: number
  boolean: boolean
  timestamp: number
  string: string
}
interface Written extends Omit<Read, 'timestamp'> {
  timestamp: number | Date
}
type NullableKeys<S> = { [K in keyof S]: S[K] extends { nullable: true } ? K : never }[keyof S]
type ValueOf<Values, F> = F extends keyof Values
  ? Values[F]
  : F extends { type: infer T extends keyof Values; nullable: true }
    ? Values[T] | null
    : F extends { type: infer T extends keyof Values }
      ? Values[T]
      : never

/** What is read of a record. */
export type RecordOf<S extends Schema> = { [K in keyof S]: ValueOf<Read, S[K]> }
/** What a record is made from: a Date will do for a timestamp, and a nullable field may be absent. */
export type RecordInput<S extends Schema> = {
  [K in Exclude<keyof S, NullableKeys<S>>]: ValueOf<Written, S[K]>
} & { [K in NullableKeys<S>]?: ValueOf<Written, S[K]> | undefined }
/** A row: reads and writes the table. */
export type Row<S extends Schema> = RecordOf<S> & { toJSON(): RecordOf<S> }

/** A table of records, kept field by field in typed arrays. */
export class Columns<const S extends Schema> implements Iterable<Row<S>> {
  constructor(schema: S)
  readonly length: number
  /** Bytes of the typed arrays, with the room kept for more rows. */
  readonly byteLength: number
  /** Adds a record, and gives the new length. One that does not fit, or for which there is no memory, changes nothing. */
  push(record: RecordInput<S>): number
  /** The row at an index, counted from the end if it is negative. */
  at(index: number): Row<S> | undefined
  /** The raw values of a field: a view, until rows are added. */
  values(name: string & keyof S): Int32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array
  /** The distinct texts of a field, by code. */
  texts(name: string & keyof S): string[]
  /** Gives back the room kept for more rows. If there is no memory for the smaller arrays, nothing changes. */
  trim(): this
  forEach(callback: (row: Row<S>, index: number, table: this) => void): void
  [Symbol.iterator](): IterableIterator<Row<S>>
  toJSON(): RecordOf<S>[]
}
