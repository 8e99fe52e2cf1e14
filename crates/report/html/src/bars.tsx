import { bytes, share } from './figures'

export type PartKind = 'content' | 'runtime' | 'dead' | 'likely'

export interface Bar {
  name: string
  bytes: number
  parts: { kind: PartKind; bytes: number }[]
  /** Stands off from those before it: not part of the bar before. */
  apart?: boolean
  note?: string
}

const NAMES: { [kind in PartKind]: string } = {
  content: 'content',
  runtime: 'runtime',
  dead: 'dead weight',
  likely: 'likely dead weight',
}

type Means = { [kind in PartKind]: string }

const MEANS: Means = {
  content: 'what the program needs',
  runtime: 'code, metadata and the engine’s own',
  dead: 'what the fixes remove, by the data alone',
  likely: 'what the fixes remove if their assumptions hold',
}

/** What each part is, where it is known what of the dead weight is sure and where it is not. */
export function meansOf(sure: number | null): Means {
  return sure === null ? { ...MEANS, dead: 'what the fixes remove' } : MEANS
}

/** The parts of dead weight: what is sure, and what goes if assumptions hold. `sure` is null where it is not known. */
export function deadParts(dead: number, sure: number | null): Bar['parts'] {
  if (sure === null) return [{ kind: 'dead', bytes: dead }]
  return [
    { kind: 'dead', bytes: sure },
    { kind: 'likely', bytes: dead - sure },
  ]
}

/** Bars on one scale, so that their lengths compare, with what each texture stands for. */
export function Bars({ bars, means = MEANS }: { bars: Bar[]; means?: Means }) {
  const most = Math.max(1, ...bars.map((bar) => bar.bytes))
  const kinds = (['content', 'runtime', 'dead', 'likely'] as const).filter((kind) =>
    bars.some((bar) => bar.parts.some((part) => part.kind === kind && part.bytes > 0)),
  )
  return (
    <div class="bars">
      {bars.map((bar) => (
        <div class={bar.apart ? 'bar apart' : 'bar'} key={bar.name}>
          <span class="bar-name">{bar.name}</span>
          <b class="bar-bytes">
            {bar.note && <span class="bar-note above">{bar.note}</span>}
            {bytes(bar.bytes)}
          </b>
          <div class="track" role="img" aria-label={describe(bar)}>
            {bar.parts
              .filter((part) => part.bytes > 0)
              .map((part) => (
                <div
                  key={part.kind}
                  class={`part ${part.kind}`}
                  style={{ width: `${(part.bytes / most) * 100}%` }}
                  title={`${NAMES[part.kind]}: ${bytes(part.bytes)} (${share(part.bytes, bar.bytes)})`}
                >
                  <span>{bytes(part.bytes)}</span>
                </div>
              ))}
            {bar.note && <span class="bar-note beside">{bar.note}</span>}
          </div>
        </div>
      ))}
      <ul class="legend">
        {kinds.map((kind) => (
          <li key={kind}>
            <i class={`key ${kind}`} aria-hidden="true" /> <b>{NAMES[kind]}</b> {means[kind]}
          </li>
        ))}
      </ul>
    </div>
  )
}

function describe(bar: Bar): string {
  const parts = bar.parts.filter((part) => part.bytes > 0)
  return `${bar.name}: ${bytes(bar.bytes)}; ${parts
    .map((part) => `${NAMES[part.kind]} ${bytes(part.bytes)} (${share(part.bytes, bar.bytes)})`)
    .join(', ')}`
}
