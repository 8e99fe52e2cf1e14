import { Bars, type Bar } from './bars'
import type { Fix, Moved, Outcome, Page, Proof, Saving, Side } from './data'
import { bytes, count, share } from './figures'
import { placeOf } from './place'
import { heldParts } from './summary'
import { harmless } from './text'

const OUTCOMES: { [outcome in Outcome]: [string, string, string] } = {
  mended: ['✓', 'mended', 'the fix was made'],
  partly: ['◐', 'partly', 'it was made for a part of the objects'],
  open: ['○', 'open', 'it is still there'],
  hidden: ['⊘', 'hidden', 'the rule does not find it any more, but its bytes are still there'],
  unknown: ['?', 'unknown', 'the second side does not tell'],
}

const isMade = (fix: Fix) => fix.outcome === 'mended' || fix.outcome === 'partly'

const both = (saving: Saving) => saving.held + saving.external

/** Before and after: what was promised, what came, what grew instead. */
export function ProofView({ proof }: { proof: Proof; rules: { [code: string]: Page } }) {
  const made = proof.fixes.filter(isMade)
  return (
    <>
      <Verdict proof={proof} made={made.length} />
      <Fixes proof={proof} />
      <Moves
        id="grew"
        title="What grew instead"
        about="Places that grew though no finding promised it."
        rows={proof.grew}
      />
      <Moves
        id="shrank"
        title="What shrank besides"
        about="Places that shrank though no fix that was made frees bytes there."
        rows={proof.shrank}
      />
      <NewFindings proof={proof} />
      {(proof.notes.length > 0 || proof.renamed.length > 0) && (
        <section aria-labelledby="notes" class="notes">
          <h2 id="notes">To know before believing it</h2>
          <ul>
            {proof.notes.map((note) => (
              <li key={note}>{harmless(note)}</li>
            ))}
            {proof.renamed.map(({ before, after }) => (
              <li key={before + after}>
                <bdi class="mono">{harmless(before)}</bdi> is called <bdi class="mono">{harmless(after)}</bdi> after the
                change
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Verdict({ proof, made }: { proof: Proof; made: number }) {
  const { before, after, predicted, measured, error } = proof
  const saved = both(measured)
  const promised = both(predicted)
  return (
    <section class="summary" aria-labelledby="title">
      <p class="source">
        <span class="mono">{harmless(before.source.path)}</span>
        <span aria-hidden="true">→</span>
        <span class="mono">{harmless(after.source.path)}</span>
      </p>
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
        {proof.records && proof.records.before !== proof.records.after && (
          <>
            The second side holds {count(proof.records.after)} records where the first held{' '}
            {count(proof.records.before)}; its figures are brought to the same count.
          </>
        )}
      </p>
      <Bars bars={bars(before, after)} />
    </section>
  )
}

function percent(error: number): string {
  const value = error * 100
  return value > 0 && value < 0.05 ? '< 0.1 %' : `${value.toFixed(1)} %`
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
      { kind: 'dead', bytes: side.external.dead },
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

function change(before: number, after: number): { note?: string } {
  if (before === 0 || before === after) return {}
  return { note: `${share(Math.abs(before - after), before)} ${after < before ? 'less' : 'more'}` }
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
      <ul class="legend">
        {Object.entries(OUTCOMES)
          .filter(([outcome]) => proof.fixes.some((fix) => fix.outcome === outcome))
          .map(([outcome, [mark, name, means]]) => (
            <li key={outcome}>
              <span class={`outcome outcome-${outcome}`}>
                <span aria-hidden="true">{mark}</span> {name}
              </span>{' '}
              {means}
            </li>
          ))}
      </ul>
      <ol class="fixes">
        {fixes.map((fix, at) => (
          <FixRow key={at} fix={fix} most={most} />
        ))}
        {both(proof.unexplained) !== 0 && (
          <li class="fix-row rest">
            <div class="what">
              <span class="place">not explained by any place</span>
            </div>
            <div class="versus">{bytes(both(proof.unexplained))}</div>
          </li>
        )}
      </ol>
    </section>
  )
}

function FixRow({ fix, most }: { fix: Fix; most: number }) {
  const [mark, name] = OUTCOMES[fix.outcome]
  const predicted = both(fix.predicted)
  const measured = fix.measured ? both(fix.measured) : null
  const made = isMade(fix)
  return (
    <li class="fix-row">
      <div class="what">
        <span class="head">
          <span class={`outcome outcome-${fix.outcome}`}>
            <span aria-hidden="true">{mark}</span> {name}
          </span>{' '}
          <span class="code">{harmless(fix.rule)}</span> <bdi class="place mono">{placeOf(fix)}</bdi>
        </span>
        <span class="title">
          {harmless(fix.title)}
          {fix.external && ' (external)'}
          {fix.way && <> · mended another way: {harmless(fix.way)}</>}
        </span>
      </div>
      <div class="versus">
        {made ? (
          <>
            <Line name="predicted" bytes={predicted} most={most} />
            {measured === null ? (
              <span class="about">not measured at this place</span>
            ) : (
              <Line name="measured" bytes={measured} most={most} />
            )}
            {fix.error !== null && <span class="error">error {percent(fix.error)}</span>}
          </>
        ) : (
          <span class="promised">promises {bytes(fix.promised)}</span>
        )}
        {made && fix.remaining > 0 && <span class="about">{bytes(fix.remaining)} still there</span>}
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

function Moves({ id, title, about, rows }: { id: string; title: string; about: string; rows: Moved[] }) {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="about">{about}</p>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">place</th>
              <th scope="col">holds</th>
              <th scope="col" class="num">
                objects
              </th>
              <th scope="col" class="num">
                before
              </th>
              <th scope="col" class="num">
                after
              </th>
              <th scope="col" class="num">
                change
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <th scope="row">
                  <bdi class="mono">{row.holder === '' ? 'runtime' : harmless(row.holder)}</bdi>
                </th>
                <td>
                  <bdi class="mono">{harmless(row.holds)}</bdi>
                </td>
                <td class="num">
                  {count(row.count_before)} → {count(row.count_after)}
                </td>
                <td class="num">{bytes(row.before.held + row.before.external)}</td>
                <td class="num">{bytes(row.after.held + row.after.external)}</td>
                <td class="num">
                  <b>
                    {both(row.saved) < 0 ? '+' : '−'}
                    {bytes(Math.abs(both(row.saved)))}
                  </b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function NewFindings({ proof }: { proof: Proof }) {
  if (proof.new.length === 0) return null
  return (
    <section aria-labelledby="new">
      <h2 id="new">Found only after the change</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Found only after the change">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">rule</th>
              <th scope="col">place</th>
              <th scope="col">what is there</th>
              <th scope="col" class="num">
                would save
              </th>
            </tr>
          </thead>
          <tbody>
            {proof.new.map((row, at) => (
              <tr key={at}>
                <td>
                  <span class="code">{harmless(row.rule)}</span>
                </td>
                <th scope="row">
                  <bdi class="mono">{harmless(row.holder)}</bdi>
                </th>
                <td>{harmless(row.title)}</td>
                <td class="num">{bytes(row.saves)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
