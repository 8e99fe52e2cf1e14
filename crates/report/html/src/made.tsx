import { Bars, type Bar } from './bars'
import { Changes, type Change } from './changes'
import type { MadeFix, MadePlace, MadeProof, MadeSide } from './data'
import { bytes, count, counted, SPACE } from './figures'
import { NewFindings, Notes } from './notes'
import { harmless } from './text'
import { change, FixRow, isMade, Outcomes, percent, Rest, type Versus } from './versus'

/** What is made, kept or not, before and after. `alone` when the page has nothing else. */
export function MadeView({ made, alone }: { made: MadeProof; alone: boolean }) {
  return (
    <>
      <Verdict made={made} alone={alone} />
      <Fixes made={made} />
      <Changes
        id="made-grew"
        title="What is made instead"
        about="Lines that make more though no finding promised it."
        columns={LINES}
        rows={made.grew.map(line)}
      />
      <Changes
        id="made-shrank"
        title="What is made less besides"
        about="Lines that make less though no fix that was made spares anything there."
        columns={LINES}
        rows={made.shrank.map(line)}
      />
      <NewFindings id="made-new" title="Found in what is made only after the change" rows={made.new} />
      <Notes id="made-notes" notes={made.notes} renamed={made.moved} />
    </>
  )
}

const LINES: [string, string] = ['line', 'makes']

/** What is made may be needed or not: rules know only what they found. */
const MEANS = { content: 'what no finding spares', runtime: '', dead: 'what the fixes spare', likely: '' }

function Verdict({ made, alone }: { made: MadeProof; alone: boolean }) {
  const { measured, predicted, error, each, objects } = made
  const mended = made.fixes.filter(isMade).length
  const Heading = alone ? 'h1' : 'h2'
  return (
    <section class="summary made" aria-labelledby="made-title">
      <Heading id="made-title">
        {measured === 0 ? (
          'As much is made as before'
        ) : (
          <>
            <strong class={measured > 0 ? 'good' : undefined}>{bytes(Math.abs(measured))}</strong>{' '}
            {measured > 0 ? 'less' : 'more'} is made than before
          </>
        )}
      </Heading>
      <p class="lead">
        {mended === 0 ? (
          'None of the findings was mended.'
        ) : (
          <>
            {mended === 1 ? 'The fix that was made' : `The ${count(mended)} fixes that were made`} promised{' '}
            <b>{bytes(predicted)}</b>
            {error !== null && (
              <>
                : the prediction was off by <b>{percent(error)}</b>
              </>
            )}
            .
          </>
        )}{' '}
        {each && (
          <>
            An operation made <b>{small(each.before)}</b>, and makes <b>{small(each.after)}</b> now.{' '}
          </>
        )}
        {objects !== null && objects !== 0 && (
          <>
            {counted(Math.abs(objects), 'object')} {objects > 0 ? 'fewer' : 'more'}.{' '}
          </>
        )}
        {made.scale !== 1 && (
          <>
            The second side did {count(made.after.operations)} operations where the first did{' '}
            {count(made.before.operations)}; its figures are brought to the same number.{' '}
          </>
        )}
        {made.margin > 0 && <>Both are known from samples: what changed is sure to ± {bytes(made.margin)} (95 %).</>}
      </p>
      <Bars bars={bars(made)} means={MEANS} />
    </section>
  )
}

function bars({ before, after }: MadeProof): Bar[] {
  const bar = (name: string, side: MadeSide): Bar => ({
    name,
    bytes: side.bytes,
    parts: [
      { kind: 'content', bytes: side.bytes - side.dead },
      { kind: 'dead', bytes: side.dead },
    ],
  })
  return [
    bar('Made before', before),
    { ...bar('Made after', after), ...(before.operations === after.operations ? change(before.bytes, after.bytes) : {}) },
  ]
}

function Fixes({ made }: { made: MadeProof }) {
  if (made.fixes.length === 0) return null
  const most = Math.max(1, ...made.fixes.flatMap((fix) => [fix.predicted, fix.measured ?? 0]))
  // What was made comes first: it is what this page is read for.
  const fixes = [...made.fixes].sort((a, b) => Number(isMade(b)) - Number(isMade(a)))
  return (
    <section aria-labelledby="made-fixes" class="proofs">
      <h2 id="made-fixes">Promised and kept, of what is made</h2>
      <Outcomes shown={made.fixes} />
      <ol class="fixes">
        {fixes.map((fix, at) => (
          <FixRow key={at} row={row(fix)} most={most} />
        ))}
        <Rest bytes={made.unexplained} where="line" />
      </ol>
    </section>
  )
}

function row(fix: MadeFix): Versus {
  const ways: [string, string][] = []
  if (fix.option) ways.push(['Option', 'advice that was taken; it was not counted as dead weight'])
  if (fix.each && isMade(fix)) {
    const came = fix.each.measured === null ? '' : `, ${small(fix.each.measured)} measured`
    ways.push(['An operation', `${small(fix.each.predicted)} promised${came}`])
  } else if (fix.each) {
    ways.push(['An operation', `${small(fix.each.promised)} promised`])
  }
  const moved = fix.sites_after.filter((site) => site !== fix.site)
  if (moved.length > 0) ways.push(['After the change at', moved.map(harmless).join(', ')])
  return { ...fix, place: placeAt(fix.site, fix.function), title: harmless(fix.title), ways }
}

/** Bytes an operation: small figures with a digit behind the point. */
function small(figure: number): string {
  return Math.abs(figure) < 1000 ? `${figure.toFixed(1)}${SPACE}B` : bytes(Math.round(figure))
}

function placeAt(site: string, name: string): string {
  return [site, name].filter((part) => part !== '').map(harmless).join(' · ') || '(no line of the program)'
}

/** A line before and after, as a row of a table. */
function line(place: MadePlace): Change {
  return {
    at: placeAt(place.before_site ?? place.after_sites[0] ?? '', place.function),
    what: place.holds,
    objects: [objects(place.count_before, place.before), objects(place.count_after, place.after)],
    before: place.before,
    after: place.after,
    saved: place.saved,
  }
}

/** None where nothing was made; unknown where nobody counted. */
function objects(counted: number | null, bytes: number): string {
  return counted === null ? (bytes === 0 ? '0' : '?') : count(counted)
}
