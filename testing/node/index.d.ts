/** Whole bytes, or a size such as `"1 MB"`. */
export type Bytes = number | string;

/** What a function may hold beyond what was held before it ran. */
export interface HeldLimits {
  /** The most bytes on the heap. */
  bytes?: Bytes;
  /** The most bytes outside of it: buffers and the like. */
  external?: Bytes;
  /** The most of the bytes on the heap that may be dead weight: from 0 to 1, or such as `"10 %"`. */
  deadShare?: number | string;
  /**
   * The most bytes of one record with what stands in its fields, by type (`Visit`) or place (`Store.visits[]`); or of
   * `records` in all, the same figure as `bytes`.
   */
  perRecord?: Record<string, Bytes> | { records: number; bytesPerRecord: number };
  /** The rules whose findings may grow; `[]` allows none. */
  findings?: string[];
}

/** What a function may make, kept or not. */
export interface ChurnLimits {
  /** The most bytes in all. */
  bytes?: Bytes;
  /** The most bytes an operation. */
  bytesPerOperation?: Bytes;
  /** How many operations the function does; 1 when left out. */
  operations?: number;
  /** The rules whose findings may be there; `[]` allows none. */
  findings?: string[];
  /** One sample each so many bytes on average; 512 when left out. */
  everyBytes?: number;
}

/** What was measured when all limits hold, in bytes. */
export interface Held<T> {
  /** What the function gave. */
  value: T;
  bytes: number;
  external: number;
  dead: number;
}

/** What was measured when all limits hold, in bytes. */
export interface Churned<T> {
  /** What the function gave. */
  value: T;
  bytes: number;
  bytesPerOperation: number | null;
}

/** Fails unless what `fn` gives, and whatever else it leaves alive, keeps to the limits. */
export function expectHeld<T>(fn: () => T | Promise<T>, limits: HeldLimits): Promise<Held<T>>;

/** Fails unless what `fn` makes keeps to the limits. Node.js 20 and later. */
export function expectChurn<T>(fn: () => T | Promise<T>, limits: ChurnLimits): Promise<Churned<T>>;
