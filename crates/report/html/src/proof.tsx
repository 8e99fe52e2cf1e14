import { Bars, deadParts, meansOf, type Bar } from './bars'
import { Changes, type Change } from './changes'
import type { Fix, Moved, Page, Proof, Saving, Side } from './data'
import { bytes, count } from './figures'
import { MadeView } from './made'
import { NewFindings, Notes } from './notes'
import { placeOf } from './place'
import { heldParts } from './summary'
import { harmless } from './text'
import { change, FixRow, isMade, Outcomes, percent, Rest } from './versus'

const PLACES: [string, string] = ['place', 'holds']

const both = (saving: Saving) => saving.held + saving.external

/** Before and after: what was promised, what came, what grew instead. */
export function ProofView({ proof }: { proof: Proof; rules: { [code: string]: Page } }) {
  const holds = proof.basis !== 'nothing'
  return (
    <>
      <p class="source sides-of">
        <span class="mono">{harmless(proof.before.source.path)}</span>
        <span aria-hidden="true">→</span>
        <span class="mono">{harmless(proof.after.source.path)}</span>
      </p>
      {holds && <HeldView proof={proof} />}
      <Notes id="notes" notes={proof.notes} renamed={proof.renamed} />
      {proof.made && <MadeView made={proof.made} alone={!holds} />}
      {!holds && !proof.made && <h1>Nothing in these two can be compared</h1>}
    </>
  )
}

function HeldView({ proof }: { proof: Proof }) {
  const made = proof.fixes.filter(isMade)
  return (
    <>
      <Verdict proof={proof} made={made.length} />
      <Fixes proof={proof} />
      <Changes
        id="grew"
        title="What grew instead"
        about="Places that grew though no finding promised it."
        columns={PLACES}
        rows={proof.grew.map(place)}
      />
      <Changes
        id="shrank"
        title="What shrank besides"
        about="Places that shrank though no fix that was made frees bytes there."
        columns={PLACES}
        rows={proof.shrank.map(place)}
      />
      <NewFindings id="new" title="Found only after the change" rows={proof.new} />
    </>
  )
}

function Verdict({ proof, made }: { proof: Proof; made: number }) {
  const { before, after, predicted, measured, error } = proof
  const saved = both(measured)
  const promised = both(predicted)
  const own = proof.runtime ? both(proof.runtime) : 0
  return (
    <section class="summary" aria-labelledby="title">
      <h1 id="title">
        {saved >= 0 ? (
          <>
            <strong class="good">{bytes(saved)}</strong> less than before
          </>
        ) : (
          <>
            <strong>{bytes(-saved)}</strong> more than before
          </>
        )}
      </h1>
      <p class="lead">
        {made === 0 ? (
          'None of the findings was mended.'
        ) : (
          <>
            {made === 1 ? 'The fix that was made' : `The ${count(made)} fixes that were made`} promised{' '}
            <b>{bytes(promised)}</b>
            {error !== null && (
              <>
                : the prediction was off by <b>{percent(error)}</b>
              </>
            )}
            .
          </>
        )}{' '}
        {measured.external !== 0 && (
          <>
            {bytes(measured.held)} of it was held, {bytes(measured.external)} external.
          </>
        )}{' '}
        {own !== 0 && (
          <>
            The runtime’s own code and data {own > 0 ? 'shrank' : 'grew'} by {bytes(Math.abs(own))}: no fix is judged by
            them.
          </>
        )}{' '}
        {proof.records && proof.records.before !== proof.records.after && (
          <>
            The second side holds {count(proof.records.after)} records where the first held{' '}
            {count(proof.records.before)}; its figures are brought to the same count.
          </>
        )}
      </p>
      <Bars bars={bars(before, after)} means={meansOf(before.held.dead_sure === null ? null : after.held.dead_sure)} />
    </section>
  )
}

function bars(before: Side, after: Side): Bar[] {
  const bars: Bar[] = [
    { name: 'Held before', bytes: before.held.bytes, parts: heldParts(before.held) },
    {
      name: 'Held after',
      bytes: after.held.bytes,
      parts: heldParts(after.held),
      ...change(before.held.bytes, after.held.bytes),
    },
  ]
  if (before.external.bytes + after.external.bytes > 0) {
    const parts = (side: Side): Bar['parts'] => [
      { kind: 'content', bytes: side.external.bytes - side.external.dead },
      ...deadParts(side.external.dead, side.external.dead_sure),
    ]
    bars.push(
      { name: 'External before', apart: true, bytes: before.external.bytes, parts: parts(before) },
      {
        name: 'External after',
        bytes: after.external.bytes,
        parts: parts(after),
        ...change(before.external.bytes, after.external.bytes),
      },
    )
  }
  return bars
}

function Fixes({ proof }: { proof: Proof }) {
  if (proof.fixes.length === 0) return null
  const most = Math.max(
    1,
    ...proof.fixes.flatMap((fix) => [both(fix.predicted), fix.measured ? both(fix.measured) : 0]),
  )
  // What was made comes first: it is what this page is read for.
  const fixes = [...proof.fixes].sort((a, b) => Number(isMade(b)) - Number(isMade(a)))
  return (
    <section aria-labelledby="fixes" class="proofs">
      <h2 id="fixes">Promised and kept</h2>
      <Outcomes shown={proof.fixes} />
      <ol class="fixes">
        {fixes.map((fix, at) => (
          <FixRow
            key={at}
            row={{
              ...fix,
              place: placeOf(fix),
              title: harmless(fix.title) + (fix.external ? ' (external)' : ''),
              ways: fix.way ? [wayTaken(fix)] : [],
              predicted: both(fix.predicted),
              measured: fix.measured ? both(fix.measured) : null,
            }}
            most={most}
          />
        ))}
        <Rest bytes={both(proof.unexplained)} where="place" />
      </ol>
    </section>
  )
}

/** A finding may know several ways to mend it: which one the change took. */
function wayTaken({ way }: Fix): [string, string] {
  const taken = way ?? ''
  return /^\d/.test(taken)
    ? ['Slots of', `${taken.split(',').join(', ')} – other sizes than the finding’s best`]
    : ['Way taken', `${harmless(taken)} – another than the finding’s first`]
}

/** A place before and after, as a row of a table. */
function place(moved: Moved): Change {
  return {
    at: moved.holder === '' ? 'runtime' : harmless(moved.holder),
    what: moved.holds,
    objects: [count(moved.count_before), count(moved.count_after)],
    before: both(moved.before),
    after: both(moved.after),
    saved: both(moved.saved),
  }
}
