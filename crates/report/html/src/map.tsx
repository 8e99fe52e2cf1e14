import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { Weighing } from './data'
import { bytes, count, counted, share } from './figures'
import { addedAnew, groupsOf, laidOut, placesOf, type Grouping, type Ledger, type Place, type Tile } from './places'
import { harmless } from './text'
import { Table } from './table'

/** Pixels of the smallest tile: it must be seen, and hit. */
const SMALLEST = 24 * 26

/** Where the bytes are: a map by holder and type, dead weight shaded. */
export function Map({ weighing, onPick }: { weighing: Weighing; onPick: (holder: string) => void }) {
  const [grouping, setGrouping] = useState<Grouping>('holder')
  const [ledger, setLedger] = useState<Ledger>(weighing.held.bytes > 0 ? 'held' : 'external')
  const places = useMemo(() => placesOf(weighing, ledger, grouping), [weighing, ledger, grouping])
  if (!weighing.holdings || (weighing.held.bytes === 0 && weighing.external.bytes === 0)) return null
  const all = ledger === 'held' ? weighing.held.bytes : weighing.external.bytes
  const anew = addedAnew(weighing, places, ledger)
  return (
    <section aria-labelledby="map-title" class="where">
      <div class="heading">
        <h2 id="map-title">Where it is</h2>
        <div class="choices">
          {weighing.external.bytes > 0 && weighing.held.bytes > 0 && (
            <Choice
              name="Ledger"
              value={ledger}
              values={[
                ['held', 'held'],
                ['external', 'external'],
              ]}
              onChange={setLedger}
            />
          )}
          <Choice
            name="Group"
            value={grouping}
            values={[
              ['holder', 'by holder'],
              ['type', 'by type'],
            ]}
            onChange={setGrouping}
          />
        </div>
      </div>
      <Treemap places={places} all={all} ledger={ledger} onPick={onPick} />
      {anew > 0 && (
        <p class="about">
          The fixes add {bytes(anew)} anew, at places that are not there yet: the shaded areas are larger by that much
          than the dead weight.
        </p>
      )}
      <PlaceTable places={places} all={all} ledger={ledger} />
    </section>
  )
}

export function Choice<Value extends string>(props: {
  name: string
  value: Value
  values: [Value, string][]
  onChange: (value: Value) => void
}) {
  return (
    <div class="choice" role="group" aria-label={props.name}>
      {props.values.map(([value, name]) => (
        <button type="button" key={value} aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {name}
        </button>
      ))}
    </div>
  )
}

function Treemap(props: { places: Place[]; all: number; ledger: Ledger; onPick: (holder: string) => void }) {
  const { places, all, ledger, onPick } = props
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(() => Math.min(1128, Math.max(280, document.documentElement.clientWidth - 48)))
  const [at, setAt] = useState(0)
  const [hovered, setHovered] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => {
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const height = width < 560 ? 480 : 420
  const { tiles, frames } = useMemo(() => {
    const least = (SMALLEST / (width * height)) * places.reduce((sum, place) => sum + place.bytes, 0)
    return laidOut(groupsOf(places, least), width, height)
  }, [places, width, height])
  useLayoutEffect(() => {
    setAt(0)
    setHovered(null)
  }, [tiles])

  const keys = (event: KeyboardEvent) => {
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? tiles.length - 1 : nearest(tiles, at, event.key, width)
    if (next === null || next === undefined) return
    event.preventDefault()
    setAt(next)
    box.current?.querySelectorAll<HTMLElement>('.tile')[next]?.focus()
  }
  const shown = hovered === null ? null : tiles[hovered]?.place
  return (
    <>
      <div
        ref={box}
        class="map"
        role="group"
        aria-label={`Map of all ${bytes(all)} ${ledger}: a tile's area is its bytes, what is hatched is dead weight. Arrow keys walk over it.`}
        style={{ height: `${height}px` }}
        onKeyDown={keys}
        onMouseLeave={() => setHovered(null)}
      >
        {frames.map((frame) => (
          <div class="frame" key={`${frame.name} ${frame.left} ${frame.top}`} style={css(frame)} aria-hidden="true">
            {frame.labelled && (
              <span class="frame-name">
                <bdi>{harmless(frame.name)}</bdi> <span>{bytes(frame.bytes)}</span>
              </span>
            )}
          </div>
        ))}
        {tiles.map((tile, index) => {
          const { place } = tile
          const dead = place.bytes > 0 ? place.dead / place.bytes : 0
          return (
            <button
              type="button"
              key={index}
              class={place.runtime ? 'tile runtime' : 'tile'}
              style={css(tile)}
              tabIndex={index === at ? 0 : -1}
              onFocus={() => {
                setAt(index)
                setHovered(index)
              }}
              onMouseEnter={() => setHovered(index)}
              onClick={() => (place.holder ? onPick(place.holder) : setHovered(index))}
            >
              <span class="unseen">{describe(place, ledger)}</span>
              {dead > 0 && <span class="shade" style={{ height: `${Math.min(100, dead * 100)}%` }} />}
              {(tile.width / 100) * width > 44 && tile.height > 20 && (
                <span class="tile-name" aria-hidden="true">
                  <bdi>{harmless(place.name)}</bdi>
                  {tile.height > 38 && <span>{bytes(place.bytes)}</span>}
                </span>
              )}
            </button>
          )
        })}
      </div>
      <p class="told">
        {shown ? (
          <>
            <bdi class="mono">{title(shown)}</bdi> <span>{amounts(shown, ledger)}</span>
          </>
        ) : (
          <>
            <i class="key dead" aria-hidden="true" /> hatched is dead weight · point at a tile, or choose it to see its
            findings
          </>
        )}
      </p>
    </>
  )
}

function css({ left, width, top, height }: { left: number; width: number; top: number; height: number }) {
  return { left: `${left}%`, width: `${width}%`, top: `${top}px`, height: `${height}px` }
}

function title(place: Place): string {
  if (place.places > 1) return place.group === 'elsewhere' ? 'many small places' : `${harmless(place.group)}: many small places`
  if (place.runtime) return `runtime: ${harmless(place.holds)}`
  return place.holds ? `${harmless(place.holder)} → ${harmless(place.holds)}` : harmless(place.holder)
}

function amounts(place: Place, ledger: Ledger): string {
  const many = place.places > 1 ? `${counted(place.places, 'place')} · ` : ''
  const dead = place.dead > 0 ? `${bytes(place.dead)} dead weight (${share(place.dead, place.bytes)})` : 'no dead weight'
  return `${many}${counted(place.count, 'object')} · ${bytes(place.bytes)} ${ledger} · ${dead}`
}

function describe(place: Place, ledger: Ledger): string {
  return `${title(place)}: ${amounts(place, ledger)}`
}

/** The nearest tile in the direction of an arrow key. */
function nearest(tiles: Tile[], at: number, key: string, width: number): number | null {
  const from = tiles[at]
  if (!from) return null
  const middle = (tile: Tile) => ({
    x: ((tile.left + tile.width / 2) / 100) * width,
    y: tile.top + tile.height / 2,
  })
  const start = middle(from)
  let best: number | null = null
  let least = Infinity
  tiles.forEach((tile, index) => {
    if (index === at) return
    const { x, y } = middle(tile)
    const [along, across] =
      key === 'ArrowRight'
        ? [x - start.x, y - start.y]
        : key === 'ArrowLeft'
          ? [start.x - x, y - start.y]
          : key === 'ArrowDown'
            ? [y - start.y, x - start.x]
            : key === 'ArrowUp'
              ? [start.y - y, x - start.x]
              : [0, 0]
    // What lies straight ahead comes before what lies aside.
    const distance = along + Math.abs(across) * 2
    if (along > 0 && distance < least) {
      best = index
      least = distance
    }
  })
  return best
}

const ROWS = 100

const figuresOf = (ledger: Ledger) => ['objects', ledger, 'share', 'dead weight'].map((name) => ({ figures: name }))

/** The map in words. */
function PlaceTable({ places, all, ledger }: { places: Place[]; all: number; ledger: Ledger }) {
  const [open, setOpen] = useState(false)
  const rows = useMemo(() => [...places].sort((a, b) => b.bytes - a.bytes).slice(0, ROWS), [places])
  return (
    <details class="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The map as a table</summary>
      {open && (
        <>
          <Table label="Places by size" columns={['holder', 'holds', ...figuresOf(ledger)]}>
            {rows.map((place, index) => (
              <tr key={index}>
                <th scope="row">
                  <bdi class="mono">
                    {place.places > 1 ? 'small places' : place.runtime ? 'runtime' : harmless(place.holder)}
                  </bdi>
                </th>
                <td>
                  <bdi class="mono">{place.places > 1 ? counted(place.places, 'place') : harmless(place.holds)}</bdi>
                </td>
                <td class="num">{count(place.count)}</td>
                <td class="num">{bytes(place.bytes)}</td>
                <td class="num">{share(place.bytes, all)}</td>
                <td class="num">{place.dead > 0 ? bytes(place.dead) : '–'}</td>
              </tr>
            ))}
          </Table>
          {places.length > ROWS && <p class="about">The {ROWS} largest of {count(places.length)}.</p>}
        </>
      )}
    </details>
  )
}
