import { OTHERS, type Weighing } from './data'
import { bytes, share } from './figures'
import { linkTo, openFinding } from './open'
import { harmless } from './text'
import { placeOf } from './place'

const SHOWN = 3

/** A fix that saves a smaller share than this is no place to start. */
const MATTERS = 0.005

/** What to do first, and what it gains. */
export function First({ weighing }: { weighing: Weighing }) {
  const { held, external } = weighing
  const first = weighing.findings
    .slice(0, SHOWN)
    .filter((one) => one.rule !== OTHERS && one.saves >= MATTERS * (one.external ? external.bytes : held.bytes))
  if (first.length === 0) return null
  return (
    <section aria-labelledby="first-title" class="first">
      <h2 id="first-title">Do this first</h2>
      <ol>
        {first.map((one, at) => {
          const whole = one.external ? external.bytes : held.bytes
          return (
            <li key={one.fingerprint}>
              <a
                href={linkTo(one)}
                onClick={(event) => openFinding(event, { fingerprint: one.fingerprint, rank: at })}
              >
                <span class="gain">
                  <b>
                    {one.confidence === 'estimate' && <abbr title="an estimate">≈</abbr>} {bytes(one.saves)}
                  </b>
                  <span>
                    {share(one.saves, whole)} of {one.external ? 'external' : 'held'}
                  </span>
                </span>
                <span class="do">{harmless(one.fix)}</span>
                <span class="at">
                  <span class="code">{harmless(one.rule)}</span> <bdi class="mono">{placeOf(one)}</bdi>
                </span>
              </a>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
