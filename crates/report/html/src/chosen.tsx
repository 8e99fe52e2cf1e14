import { OTHERS, type Finding, type Weighing } from './data'
import { examples } from './examples'
import { bytes, counted, share } from './figures'
import { linkTo, openFinding } from './open'
import { Path } from './path'
import type { Place, Side } from './places'
import { harmless } from './text'

/** Findings and types that are shown; the list below has all. */
const SHOWN = 8

/** What stands at a tile of the map: its types, the findings about it, and one object with what holds it. */
export function Chosen(props: {
  weighing: Weighing
  place: Place
  side: Side
  onSearch: (holder: string) => void
  onClose: () => void
}) {
  const { weighing, place, side, onSearch, onClose } = props
  const external = side === 'external'
  const sizeOf = (row: { bytes: number; external?: number }) => (external ? row.external : row.bytes) ?? 0
  const here = (weighing.holdings?.places ?? []).filter((row) => row.holder === place.holder && sizeOf(row) > 0)
  const all = here.reduce((sum, row) => sum + sizeOf(row), 0)
  const findings = weighing.findings.filter((one) => one.rule !== OTHERS && isAt(one, place.holder))
  const first = findings.find((one) => one.path && one.path.length > 0)
  const shown = examples(findings)
  return (
    <div class="chosen" role="region" aria-label={`At ${harmless(place.holder)}`}>
      <div class="heading">
        <h3>
          <bdi class="mono">{harmless(place.holder)}</bdi> holds {bytes(all)}
        </h3>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </div>
      <div class="sides">
        <div>
          <h4>Types there</h4>
          <ul class="types">
            {[...here]
              .sort((a, b) => sizeOf(b) - sizeOf(a))
              .slice(0, SHOWN)
              .map((row) => (
                <li key={row.holds}>
                  <bdi class="mono">{harmless(row.holds)}</bdi> {counted(row.count, 'object')}, {bytes(sizeOf(row))} (
                  {share(sizeOf(row), all)})
                </li>
              ))}
          </ul>
          {shown.length > 0 && (
            <>
              <h4>Examples</h4>
              <ul class="types">
                {shown.map((value, at) => (
                  <li key={at}>
                    <bdi class="mono">{harmless(value)}</bdi>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <div>
          <h4>Findings there</h4>
          {findings.length === 0 ? (
            <p class="clean">Nothing to fix here: no finding is about this place.</p>
          ) : (
            <ul class="types">
              {findings.slice(0, SHOWN).map((one) => (
                <li key={one.fingerprint}>
                  <a href={linkTo(one)} onClick={(event) => openFinding(event, one)}>
                    <span class="code">{harmless(one.rule)}</span> {harmless(one.title)}
                  </a>{' '}
                  <b>{bytes(one.saves)}</b>
                </li>
              ))}
            </ul>
          )}
          {findings.length > 1 && (
            <button type="button" class="plain" onClick={() => onSearch(place.holder)}>
              Show only these in the list
            </button>
          )}
        </div>
      </div>
      {first?.path && <Path path={first.path} />}
    </div>
  )
}

/** Whether a finding is about a place, by its name or by the bytes that it frees there. */
function isAt({ holder, frees }: Finding, place: string): boolean {
  return holder === place || (frees ?? []).some((freed) => freed.holder === place)
}
