// What stands in the page's data element. The Weighing is `docs/weighing.schema.json`.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Weighing {
  source: Source
  runtime: Runtime
  process: Process | null
  held: Held
  external: External
  findings: Finding[]
  groups: Group[]
  options: Finding[]
  not_measured: Blind[]
  churned: Churned | null
  partial?: string | null
  estimated?: string | null
  holdings?: Holdings | null
  unseen?: Unseen | null
  garbage?: { objects: number; bytes: number; external: number } | null
  curve?: Curve | null
  again?: Again | null
}

/** What several heaps of one run hold, each for itself. */
export interface Again {
  heaps: number
  bytes: number
  estimated: boolean
  held: number
  known: number
  shared: number | null
  places: { holder: string; holds: string; heaps: number; bytes: number }[]
  elsewhere: number
}

/** What the process held over time. */
export interface Curve {
  of: 'collected' | 'live'
  highest: Moment
  captured: Moment
  points: Moment[]
  how?: string | null
}

export interface Moment {
  ms: number
  bytes: number
}

/** Memory of the process that the dump does not show, where that is most of it. */
export interface Unseen {
  of: 'resident' | 'resident_peak' | 'held_peak' | 'run'
  whole: number
  shown: number
  base: number
  places: { what: string; bytes: number | null; how: string }[]
}

export interface Source {
  path: string
  bytes: number
  format: string
}

export interface Runtime {
  name: string
  version: string
  allocator: string
}

export interface Process {
  heap_used: number | null
  heap_asked?: number | null
  heap_total: number | null
  external: number | null
  rss: number | null
  rss_peak?: number | null
  heap_peak?: number | null
}

export interface Held {
  bytes: number
  content: number
  runtime: number
  dead: number
  /** Of it, what the data alone show. */
  dead_sure: number | null
  objects: number
}

export interface External {
  bytes: number
  dead: number
  dead_sure: number | null
}

export interface Finding {
  rule: string
  holder: string
  site: string | null
  count: number
  unaffected: number
  bytes_now: number
  bytes_after: number
  saves: number
  saves_alone: number
  external: boolean
  confidence: 'exact' | 'estimate'
  /** Whether the saving follows from the data alone, or rests on what is assumed. */
  tier: 'sure' | 'likely'
  assumes: string | null
  fingerprint: string
  title: string
  fix: string
  evidence: { [key: string]: Json }
  /** Where it frees bytes. */
  frees?: { holder: string; holds: string; bytes: number }[]
  path?: Step[]
  /** Where in the source it is changed. */
  line?: Line | null
}

/** A position in the source, and what it is of the finding. */
export interface Line {
  file: string
  line: number
  column: number | null
  is: 'allocation' | 'allocating_function' | 'class' | 'holding_class' | 'function' | 'module'
  name?: string
  share?: number
  /** The function of a dependency that allocates, called from here. */
  through?: string
  /** Lines of source from `around_from` on. */
  around?: string[]
  around_from?: number
}

/** Findings that one edit fixes. */
export interface Group {
  rule: string
  /** The type whose fields they name. */
  of: string
  fix: string
  external: boolean
  saves: number
  /** Their fingerprints. */
  findings: string[]
}

export interface Step {
  via: string
  object: string
  skipped?: number
}

export interface Blind {
  rule: string
  why: string
  how: string
}

export interface Churned {
  bytes: number
  objects: number | null
  operations: number
  findings: Finding[]
  options?: Finding[]
  /** Absent in weighings that were made before places were listed. */
  allocated?: Allocated | null
}

/** What was made where. */
export interface Allocated {
  places: { site: string; function: string; holds: string; count: number | null; bytes: number }[]
  folded: { places: number; count: number | null; bytes: number }
}

/** What stands where. */
export interface Holdings {
  places: Holding[]
  folded: { places: number; count: number; bytes: number; external: number; left?: number; external_left?: number }
}

/** The objects of one type at one place. */
export interface Holding {
  /** Empty for the runtime's own. */
  holder: string
  of: string | null
  holds: string
  runtime?: boolean
  count: number
  bytes: number
  external?: number
  /** Bytes after all fixes. */
  left?: number
  external_left?: number
}

export interface Saving {
  held: number
  external: number
}

export interface Side {
  source: Source
  runtime: Runtime
  process: Process | null
  held: Held
  external: External
}

export type Outcome = 'mended' | 'partly' | 'open' | 'hidden' | 'unknown'

export interface Fix {
  rule: string
  holder: string
  site: string | null
  fingerprint: string
  title: string
  fix: string
  external: boolean
  outcome: Outcome
  way: string | null
  promised: number
  predicted: Saving
  measured: Saving | null
  error: number | null
  remaining: number
}

export interface Moved {
  holder: string
  holds: string
  count_before: number
  count_after: number
  before: Saving
  after: Saving
  saved: Saving
}

export interface Proof {
  before: Side
  after: Side
  basis: 'process' | 'dump' | 'nothing'
  records: { of: string; before: number; after: number } | null
  predicted: Saving
  counted: Saving
  measured: Saving
  /** What of it is the runtime's own, which no fix is judged by; older proofs do not have it. */
  runtime?: Saving
  error: number | null
  fixes: Fix[]
  grew: Moved[]
  shrank: Moved[]
  unexplained: Saving
  new: { rule: string; holder: string; title: string; saves: number; external: boolean }[]
  renamed: Renamed[]
  notes: string[]
  /** What is made, kept or not; not there when a side does not tell. */
  made?: MadeProof | null
}

export interface Renamed {
  before: string
  after: string
}

export interface MadeSide {
  bytes: number
  /** Bytes that the figure is off by at most, with a probability of 95 %. */
  margin: number
  objects: number | null
  operations: number
  dead: number
}

export interface MadeProof {
  before: MadeSide
  after: MadeSide
  scale: number
  predicted: number
  counted: number
  measured: number
  margin: number
  objects: number | null
  error: number | null
  each: { before: number; after: number; predicted: number; measured: number } | null
  fixes: MadeFix[]
  grew: MadePlace[]
  shrank: MadePlace[]
  unexplained: number
  new: Proof['new']
  moved: Renamed[]
  notes: string[]
}

export interface MadeFix {
  rule: string
  function: string
  site: string
  sites_after: string[]
  title: string
  option: boolean
  outcome: Outcome
  promised: number
  predicted: number
  measured: number | null
  margin: number
  error: number | null
  each: { promised: number; predicted: number; measured: number | null } | null
  remaining: number
}

export interface MadePlace {
  function: string
  before_site: string | null
  after_sites: string[]
  holds: string
  count_before: number | null
  count_after: number | null
  before: number
  after: number
  saved: number
  margin: number
}

/** Running text: plain, code, or strong. */
export type Inline = ['text' | 'code' | 'strong', string]

export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'item'; mark: string; text: Inline[] }
  | { kind: 'code'; lines: string[] }

export interface Page {
  title: string
  blocks: Block[]
}

export interface Data {
  version: string
  weighings?: Weighing[]
  proof?: Proof
  rules: { [code: string]: Page }
}

/** The row of findings too small to list. */
export const OTHERS = 'others'

export function readData(): Data | null {
  const text = document.getElementById('data')?.textContent ?? ''
  try {
    return JSON.parse(text) as Data
  } catch {
    return null
  }
}
