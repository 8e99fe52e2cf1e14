import type { Outcome } from './data'
import { bytes, share, SPACE } from './figures'
import { harmless } from './text'

const OUTCOMES: { [outcome in Outcome]: [string, string, string] } = {
  mended: ['✓', 'mended', 'the fix was made'],
  partly: ['◐', 'partly', 'it was made for a part of the objects'],
  open: ['○', 'open', 'it is still there'],
  hidden: ['⊘', 'hidden', 'the rule no longer finds it, but its bytes are still there'],
  unknown: ['?', 'unknown', 'the second side does not tell'],
}

export const isMade = ({ outcome }: { outcome: Outcome }) => outcome === 'mended' || outcome === 'partly'

export function percent(error: number): string {
  const value = error * 100
  return value > 0 && value < 0.05 ? `<${SPACE}0.1${SPACE}%` : `${value.toFixed(1)}${SPACE}%`
}

export function change(before: number, after: number): { note?: string } {
  if (before === 0 || before === after) return {}
  return { note: `${share(Math.abs(before - after), before)} ${after < before ? 'less' : 'more'}` }
}

/** What the marks of outcomes mean, of those that are on the page. */
export function Outcomes({ shown }: { shown: { outcome: Outcome }[] }) {
  return (
    <ul class="legend">
      {Object.entries(OUTCOMES)
        .filter(([outcome]) => shown.some((fix) => fix.outcome === outcome))
        .map(([outcome, [mark, name, means]]) => (
          <li key={outcome}>
            <span class={`outcome outcome-${outcome}`}>
              <span aria-hidden="true">{mark}</span> {name}
            </span>{' '}
            {means}
          </li>
        ))}
    </ul>
  )
}

/** A finding with what it promised and what came. */
export interface Versus {
  rule: string
  outcome: Outcome
  place: string
  title: string
  /** More to know of it, each with what it is. */
  ways: [string, string][]
  promised: number
  predicted: number
  measured: number | null
  /** Bytes that `measured` is off by at most, with a probability of 95 %. */
  margin?: number
  error: number | null
  remaining: number
}

export function FixRow({ row, most }: { row: Versus; most: number }) {
  const [mark, name] = OUTCOMES[row.outcome]
  const made = isMade(row)
  return (
    <li class="fix-row">
      <div class="what">
        <span class="head">
          <span class={`outcome outcome-${row.outcome}`}>
            <span aria-hidden="true">{mark}</span> {name}
          </span>{' '}
          <span class="code">{harmless(row.rule)}</span> <bdi class="place mono">{row.place}</bdi>
        </span>
        <span class="title">{row.title}</span>
        {row.ways.map(([what, way]) => (
          <span class="way" key={what}>
            <b>{what}</b> <bdi>{way}</bdi>
          </span>
        ))}
      </div>
      <div class="versus">
        {made ? (
          <>
            <Line name="predicted" bytes={row.predicted} most={most} />
            {row.measured === null ? (
              <span class="about">not measured at this place</span>
            ) : (
              <Line name="measured" bytes={row.measured} most={most} />
            )}
            {row.margin !== undefined && row.margin > 0 && <span class="about">± {bytes(row.margin)} by sampling</span>}
            {row.error !== null && <span class="error">error {percent(row.error)}</span>}
          </>
        ) : (
          <span class="promised">promises {bytes(row.promised)}</span>
        )}
        {made && row.remaining > 0 && <span class="about">{bytes(row.remaining)} still there</span>}
      </div>
    </li>
  )
}

function Line({ name, bytes: number, most }: { name: 'predicted' | 'measured'; bytes: number; most: number }) {
  return (
    <span class="versus-line">
      <span class="versus-name">{name}</span>
      <i class={`meter ${name}`} aria-hidden="true">
        <i style={{ width: `${Math.max(0, Math.min(100, (number / most) * 100))}%` }} />
      </i>
      <b>{bytes(number)}</b>
    </span>
  )
}

/** What no fix explains. */
export function Rest({ bytes: number, where }: { bytes: number; where: string }) {
  if (number === 0) return null
  return (
    <li class="fix-row rest">
      <div class="what">
        <span class="place">not explained by any {where}</span>
      </div>
      <div class="versus">{bytes(number)}</div>
    </li>
  )
}
