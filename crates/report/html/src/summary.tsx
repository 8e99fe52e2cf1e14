import { Bars, deadParts, meansOf, type Bar } from './bars'
import { OverTime, Past } from './curve'
import { OTHERS, type Held, type Weighing } from './data'
import { bytes, count, share } from './figures'
import { Garbage } from './garbage'
import { harmless } from './text'
import { NotSeen } from './unseen'

/** How much: the sentence, the bars, and what was weighed. */
export function Summary({ weighing }: { weighing: Weighing }) {
  const { held, external, source, runtime, process, churned } = weighing
  const least = weighing.partial ? 'at least ' : ''
  const about =
    weighing.estimated || weighing.findings.some((one) => one.confidence === 'estimate') ? '≈ ' : ''
  return (
    <section class="summary" aria-labelledby="title">
      <p class="source">
        <span class="mono">{harmless(source.path)}</span>
        <span>
          {harmless(runtime.name)} {harmless(runtime.version)} · {bytes(source.bytes)} {harmless(source.format)} ·{' '}
          {count(held.objects)} objects
        </span>
      </p>
      {weighing.curve && <Past curve={weighing.curve} />}
      {weighing.unseen && <NotSeen unseen={weighing.unseen} />}
      <h1 id="title">
        {held.dead + external.dead === 0 ? (
          held.bytes === 0 && churned ? (
            'Allocations alone: nothing is known of what is held'
          ) : weighing.unseen || weighing.partial ? (
            'No dead weight was found in what the dump shows'
          ) : (
            'No dead weight was found'
          )
        ) : weighing.findings.every(({ rule }) => rule === OTHERS) ? (
          'Nothing worth fixing was found'
        ) : held.dead > 0 ? (
          <>
            <strong>
              {least}
              {about}
              {bytes(held.dead)}
            </strong>{' '}
            of {bytes(held.bytes)} held is dead weight
          </>
        ) : (
          <>
            <strong>
              {least}
              {about}
              {bytes(external.dead)}
            </strong>{' '}
            of {bytes(external.bytes)} outside the heap is dead weight
          </>
        )}
      </h1>
      <p class="lead">
        {held.dead > 0 && (
          <>
            {share(held.dead, held.bytes)} of the heap. After all fixes <b>{bytes(held.bytes - held.dead)}</b> would be
            held.{' '}
          </>
        )}
        {held.dead > 0 && external.dead > 0 && (
          <>
            Outside the heap another <b>{bytes(external.dead)}</b> of {bytes(external.bytes)} (
            {share(external.dead, external.bytes)}).
          </>
        )}
        {tiers(weighing)}
        {held.dead + external.dead === 0 &&
          held.bytes > 0 &&
          (weighing.partial
            ? `This covers only the ${bytes(held.bytes)} held that could be read.`
            : weighing.unseen
            ? `This covers only the ${bytes(held.bytes)} held that the dump shows.`
            : weighing.not_measured.length > 0
            ? 'This covers only what could be measured; see below.'
            : typeof process?.rss !== 'number' || weighing.options.some((option) => option.saves > held.bytes / 100)
            ? `Every rule was checked against all ${bytes(held.bytes)} held.`
            : `Every rule was checked: all ${bytes(held.bytes)} held are data that the program needs, or the runtime’s own.`)}
      </p>
      {weighing.partial && (
        <p class="banner" role="note">
          <b>Partial.</b> The dump ends early: {harmless(weighing.partial)}. Every figure is a lower bound.
        </p>
      )}
      {weighing.estimated && (
        <p class="banner" role="note">
          <b>Estimate.</b> {harmless(weighing.estimated)}. Every figure is an estimate.
        </p>
      )}
      <Bars bars={bars(weighing)} means={meansOf(held.dead_sure)} />
      {weighing.curve && <OverTime curve={weighing.curve} />}
      {process && (
        <p class="process">
          {[
            process.heap_used !== null &&
              `${who(weighing)} reports ${bytes(process.heap_used)}; we account for ${bytes(held.bytes)} (${gap(held.bytes, process.heap_used)})`,
            typeof process.heap_asked === 'number' && `objects ${bytes(process.heap_asked)} before the allocator's own overhead`,
            process.external !== null && `external ${bytes(process.external)}`,
            typeof process.heap_peak === 'number' && `${bytes(process.heap_peak)} requested at its highest`,
            process.rss !== null &&
              `RSS ${bytes(process.rss)}${typeof process.rss_peak === 'number' && process.rss_peak > process.rss ? ` (${bytes(process.rss_peak)} at its highest)` : ''}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      <Garbage weighing={weighing} />
    </section>
  )
}

/** How much of the dead weight is sure. */
function tiers({ held, external }: Weighing): string {
  const dead = held.dead + external.dead
  // A weighing of version 1 does not say what savings rest on.
  if (dead === 0 || held.dead_sure === null || external.dead_sure === null) return ''
  const sure = held.dead_sure + external.dead_sure
  if (sure === dead) return ' The data alone show all of it.'
  if (sure === 0) return ' All of it can go if what the findings assume holds.'
  return ` The data alone show ${bytes(sure)}; ${bytes(dead - sure)} more can go if what the findings assume holds.`
}

/** Who counted what the process says of itself. */
function who({ runtime }: Weighing): string {
  return { node: 'Node.js', ruby: 'Ruby' }[runtime.name] ?? 'The process'
}

/** How far what was weighed is from what the process said. */
function gap(weighed: number, said: number): string {
  if (weighed === said) return 'the same'
  return `${weighed > said ? '+' : '−'}${share(Math.abs(weighed - said), said)}`
}

export function heldParts({ content, runtime, dead, dead_sure }: Held): Bar['parts'] {
  return [
    { kind: 'content', bytes: content },
    { kind: 'runtime', bytes: runtime },
    ...deadParts(dead, dead_sure),
  ]
}

function bars({ held, external }: Weighing): Bar[] {
  const bars: Bar[] = []
  if (held.bytes > 0) bars.push({ name: 'Held now', bytes: held.bytes, parts: heldParts(held) })
  if (held.dead > 0) {
    bars.push({
      name: 'After fixes',
      bytes: held.bytes - held.dead,
      parts: heldParts({ ...held, dead: 0, dead_sure: 0 }),
      note: `${share(held.dead, held.bytes)} less`,
    })
  }
  if (external.bytes > 0) {
    bars.push({
      name: 'External',
      apart: true,
      bytes: external.bytes,
      parts: [
        { kind: 'content', bytes: external.bytes - external.dead },
        ...deadParts(external.dead, external.dead_sure),
      ],
    })
  }
  return bars
}
