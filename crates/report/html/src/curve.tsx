import type { Curve, Moment } from './data'
import { bytes, elapsed } from './figures'
import { harmless } from './text'

const WIDE = 600
const HIGH = 60

/** That the capture came after the highest moment, before what is said of the rest. */
export function Past({ curve }: { curve: Curve }) {
  const { highest, captured, how } = curve
  if (!isPast(curve)) return null
  return (
    <div class="banner" role="note">
      <b>Past the highest.</b> The process held at least {bytes(highest.bytes)} {elapsed(highest.ms)} after its start; this
      capture shows {bytes(captured.bytes)}.{' '}
      {how && <span class="mono">{harmless(how)}</span>}
    </div>
  )
}

/** What was held over time, with the moment of the capture on it. */
export function OverTime({ curve }: { curve: Curve }) {
  const { highest, captured } = curve
  const moments = [...curve.points, highest, captured].sort((a, b) => a.ms - b.ms)
  const end = Math.max(highest.ms, ...moments.map((moment) => moment.ms))
  if (curve.points.length === 0 || end === 0) return null
  const most = Math.max(1, ...moments.map((moment) => moment.bytes))
  const x = ({ ms }: Moment) => ((ms / end) * WIDE).toFixed(1)
  const y = (held: number) => (HIGH - (held / most) * (HIGH - 4)).toFixed(1)
  // Between two moments it is not known; the earlier one stands until the next.
  const steps = moments.map((moment) => `H${x(moment)}V${y(moment.bytes)}`).join('')
  const words = `at most ${bytes(highest.bytes)} after ${elapsed(highest.ms)}; captured with ${bytes(captured.bytes)} after ${elapsed(captured.ms)}`
  return (
    <figure class="over-time">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label={`Held over time: ${words}`}>
        <path class="held-area" d={`M0 ${HIGH}${steps}H${WIDE}V${HIGH}Z`} />
        <line class="captured-at" x1={x(captured)} x2={x(captured)} y1="0" y2={HIGH} />
      </svg>
      <figcaption>
        {curve.of === 'collected' ? 'Held after full collections' : 'Bytes of live blocks'} over {elapsed(end)}: {words} (the
        line)
      </figcaption>
    </figure>
  )
}

/** As the command judges: less than three quarters, and more than a little less. */
function isPast({ highest, captured }: Curve): boolean {
  const less = highest.bytes - captured.bytes
  return less > 1_000_000 && less > highest.bytes / 4
}
