import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

import { Chosen } from './chosen'
import type { Weighing } from './data'
import { bytes, count, counted, share } from './figures'
import { addedElsewhere, groupsOf, laidOut, placesOf, type Grouping, type Side, type Place, type Tile } from './places'
import { harmless } from './text'
import { Table } from './table'

/** Pixels of the smallest tile: it must be seen, and hit. */
const SMALLEST = 24 * 26

/** Where the bytes are: a map by holder and type, dead weight shaded. */
export function Map({ weighing, onPick }: { weighing: Weighing; onPick: (holder: string) => void }) {
  const [grouping, setGrouping] = useState<Grouping>('holder')
  const [side, setSide] = useState<Side>(weighing.held.bytes > 0 ? 'held' : 'external')
  const [zoom, setZoom] = useState<string | null>(null)
  const [chosen, setChosen] = useState<Place | null>(null)
  const places = useMemo(() => placesOf(weighing, side, grouping), [weighing, side, grouping])
  const drawn = useMemo(
    () => (zoom === null ? places : places.filter((place) => place.group === zoom)),
    [places, zoom],
  )
  useLayoutEffect(() => {
    setZoom(null)
    setChosen(null)
  }, [side, grouping])
  if (!weighing.holdings || (weighing.held.bytes === 0 && weighing.external.bytes === 0)) return null
  const all = side === 'held' ? weighing.held.bytes : weighing.external.bytes
  const added = addedElsewhere(weighing, places, side)
  return (
    <section aria-labelledby="map-title" class="where">
      <div class="heading">
        <h2 id="map-title">Where it is</h2>
        <div class="choices">
          {weighing.external.bytes > 0 && weighing.held.bytes > 0 && (
            <Choice
              name="Side"
              value={side}
              values={[
                ['held', 'held'],
                ['external', 'external'],
              ]}
              onChange={setSide}
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
      {zoom !== null && (
        <p class="zoomed">
          <button type="button" class="plain" onClick={() => setZoom(null)}>
            ← all {side}
          </button>{' '}
          <bdi class="mono">{harmless(zoom)}</bdi>: {bytes(drawn.reduce((sum, place) => sum + place.bytes, 0))} in{' '}
          {counted(drawn.length, 'place')}
        </p>
      )}
      <Treemap
        places={drawn}
        all={all}
        side={side}
        zoomed={zoom !== null}
        onZoom={(group) => setZoom(group !== null && places.some((place) => place.group === group) ? group : null)}
        onPick={setChosen}
      />
      {chosen && (
        <Chosen
          weighing={weighing}
          place={chosen}
          side={side}
          onSearch={onPick}
          onClose={() => setChosen(null)}
        />
      )}
      {added > 0 && (
        <p class="about">
          The fixes add {bytes(added)} at places that are not there yet: the shaded areas are larger by that much
          than the dead weight.
        </p>
      )}
      <PlaceTable places={places} all={all} side={side} />
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

function Treemap(props: {
  places: Place[]
  all: number
  side: Side
  zoomed: boolean
  /** Shows one group alone, or all again. */
  onZoom: (group: string | null) => void
  onPick: (place: Place) => void
}) {
  const { places, all, side, zoomed, onZoom, onPick } = props
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
    const group = tiles[at]?.place.group
    if ((event.key === '+' || event.key === '=') && group !== undefined && !zoomed) {
      event.preventDefault()
      onZoom(group)
      return
    }
    if ((event.key === '-' || event.key === 'Escape') && zoomed) {
      event.preventDefault()
      onZoom(null)
      return
    }
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
        aria-label={`Map of all ${bytes(all)} ${side}: a tile's area is its bytes, what is hatched is dead weight. Arrow keys walk over it, + zooms in, - zooms out.`}
        style={{ height: `${height}px` }}
        onKeyDown={keys}
        onMouseLeave={() => setHovered(null)}
      >
        {frames.map((frame) => (
          <div class="frame" key={`${frame.name} ${frame.left} ${frame.top}`} style={css(frame)} aria-hidden="true">
            {frame.labelled && (
              // The keyboard has + for it.
              <button
                type="button"
                class="frame-name"
                tabIndex={-1}
                title={zoomed ? 'Show all again' : `Zoom into ${harmless(frame.name)}`}
                onClick={() => onZoom(zoomed ? null : frame.name)}
              >
                <bdi>{harmless(frame.name)}</bdi> <span>{bytes(frame.bytes)}</span>
              </button>
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
              onClick={() => (place.holder ? onPick(place) : setHovered(index))}
            >
              <span class="unseen">{describe(place, side)}</span>
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
      <p class="said">
        {shown ? (
          <>
            <bdi class="mono">{title(shown)}</bdi> <span>{amounts(shown, side)}</span>
          </>
        ) : (
          <>
            <i class="key likely" aria-hidden="true" /> hatched is dead weight · choose a tile to see what stands there and
            its findings, or the name of a group to zoom into it
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

function amounts(place: Place, side: Side): string {
  const many = place.places > 1 ? `${counted(place.places, 'place')} · ` : ''
  const dead = place.dead > 0 ? `${bytes(place.dead)} dead weight (${share(place.dead, place.bytes)})` : 'no dead weight'
  return `${many}${counted(place.count, 'object')} · ${bytes(place.bytes)} ${side} · ${dead}`
}

function describe(place: Place, side: Side): string {
  return `${title(place)}: ${amounts(place, side)}`
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

const figuresOf = (side: Side) => ['objects', side, 'share', 'dead weight'].map((name) => ({ figures: name }))

/** The map in words. */
function PlaceTable({ places, all, side }: { places: Place[]; all: number; side: Side }) {
  const [open, setOpen] = useState(false)
  const rows = useMemo(() => [...places].sort((a, b) => b.bytes - a.bytes).slice(0, ROWS), [places])
  return (
    <details class="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The map as a table</summary>
      {open && (
        <>
          <Table label="Places by size" columns={['holder', 'holds', ...figuresOf(side)]}>
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
