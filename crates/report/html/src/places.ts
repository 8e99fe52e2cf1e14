// The map's data: places by holder or by type, small ones put together, so that everything adds up and every tile can
// be hit.

import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'

import type { Holdings, Weighing } from './data'

export type Grouping = 'holder' | 'type'

export type Side = 'held' | 'external'

/** What stands at one place, or at several too small to draw. */
export interface Place {
  /** What to call it inside its group. */
  name: string
  /** The group it is drawn in. */
  group: string
  /** What to look for in the findings; empty when there is no such name. */
  holder: string
  holds: string
  runtime: boolean
  /** Number of places put together here. */
  places: number
  count: number
  bytes: number
  dead: number
}

export interface Group {
  name: string
  bytes: number
  places: Place[]
}

/** A rectangle in percent of the map's width and pixels of its height. */
export interface Box {
  left: number
  width: number
  top: number
  height: number
}

export interface Tile extends Box {
  place: Place
}

export interface Frame extends Box {
  name: string
  bytes: number
  labelled: boolean
}

const RUNTIME = 'runtime'

/** The places of one side. */
export function placesOf(weighing: Weighing, side: Side, grouping: Grouping): Place[] {
  const holdings = weighing.holdings
  if (!holdings) return []
  const external = side === 'external'
  const places: Place[] = []
  for (const row of holdings.places) {
    const bytes = (external ? row.external : row.bytes) ?? 0
    if (bytes === 0) continue
    const left = (external ? row.external_left : row.left) ?? bytes
    const runtime = row.runtime ?? false
    const owner = row.of ?? root(row.holder)
    places.push({
      ...(grouping === 'holder'
        ? { group: runtime ? RUNTIME : owner, name: runtime ? row.holds : below(row.holder, owner, row.holds) }
        : { group: runtime ? RUNTIME : row.holds, name: runtime ? row.holds : row.holder }),
      holder: row.holder,
      holds: row.holds,
      runtime,
      places: 1,
      count: row.count,
      bytes,
      dead: Math.max(0, bytes - left),
    })
  }
  places.push(...folded(holdings, external))
  return places
}

function folded({ folded }: Holdings, external: boolean): Place[] {
  const bytes = external ? folded.external : folded.bytes
  if (!bytes) return []
  const left = (external ? folded.external_left : folded.left) ?? bytes
  const name = 'small places'
  return [
    {
      name,
      group: 'elsewhere',
      holder: '',
      holds: '',
      runtime: false,
      places: folded.places,
      count: folded.count,
      bytes,
      dead: Math.max(0, bytes - left),
    },
  ]
}

/** What fixes add at places that are not there yet: the shaded areas together are larger than the dead weight by it. */
export function addedElsewhere(weighing: Weighing, places: Place[], side: Side): number {
  const dead = side === 'held' ? weighing.held.dead : weighing.external.dead
  return Math.max(0, places.reduce((sum, place) => sum + place.dead, 0) - dead)
}

/** `nodeLinks` of `nodeLinks[]{}`. */
function root(holder: string): string {
  return holder.replace(/(\[\]|\{\}|\{keys\})+$/, '') || 'elsewhere'
}

/** `.cid` of `Measurement.cid`: the group's label says the rest. */
function below(holder: string, owner: string, holds: string): string {
  if (holder === owner) return holds || holder
  return holder.startsWith(owner) ? holder.slice(owner.length) : holder
}

/** Groups, largest first, with what is too small to be seen put together. */
export function groupsOf(places: Place[], least: number): Group[] {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const group = groups.get(place.group)
    if (group) group.push(place)
    else groups.set(place.group, [place])
  }
  const large: Group[] = []
  const small: Place[] = []
  for (const [name, all] of groups) {
    const bytes = sum(all)
    if (bytes < least) small.push(...all)
    else large.push({ name, bytes, places: together(all, least, name) })
  }
  if (small.length > 0) {
    const name = 'elsewhere'
    const there = large.find((group) => group.name === name)
    const all = [...(there?.places ?? []), ...small.map((place) => ({ ...place, group: name }))]
    const one = merged(all, name, 'small places')
    if (there) Object.assign(there, { bytes: one.bytes, places: [one] })
    else large.push({ name, bytes: one.bytes, places: [one] })
  }
  return large.sort((a, b) => b.bytes - a.bytes)
}

function together(places: Place[], least: number, group: string): Place[] {
  const large = places.filter((place) => place.bytes >= least)
  const small = places.filter((place) => place.bytes < least)
  if (small.length === 0) return large
  const rest = small.length === 1 ? small : [merged(small, group, `${small.length} more`)]
  return [...large, ...rest]
}

function merged(places: Place[], group: string, name: string): Place {
  return {
    name,
    group,
    holder: '',
    holds: '',
    runtime: places.every((place) => place.runtime),
    places: places.reduce((sum, place) => sum + place.places, 0),
    count: places.reduce((sum, place) => sum + place.count, 0),
    bytes: sum(places),
    dead: places.reduce((sum, place) => sum + place.dead, 0),
  }
}

function sum(places: Place[]): number {
  return places.reduce((sum, place) => sum + place.bytes, 0)
}

/** Room for a group's name. */
const LABEL = 20

interface Node {
  group?: Group
  place?: Place
  children?: Node[]
}

/** Where each tile and group goes in a map of that many pixels. */
export function laidOut(groups: Group[], width: number, height: number): { tiles: Tile[]; frames: Frame[] } {
  const root: Node = {
    children: groups.map((group) => ({ group, children: group.places.map((place) => ({ place })) })),
  }
  const sized = hierarchy<Node>(root)
    .sum((node) => node.place?.bytes ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const roomy = (box: { x0: number; x1: number; y0: number; y1: number }) => box.x1 - box.x0 > 56 && box.y1 - box.y0 > 44
  const layout = treemap<Node>()
    .tile(treemapSquarify.ratio(1.2))
    .size([width, height])
    .paddingOuter((node) => (node.depth === 0 ? 0 : 2))
    .paddingTop((node) => (node.depth === 1 && roomy(node as never) ? LABEL : node.depth === 0 ? 0 : 2))
    .paddingInner((node) => (node.depth === 0 ? 3 : 1))
    .round(true)(sized)
  const box = ({ x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number }): Box => ({
    left: (x0 / width) * 100,
    width: ((x1 - x0) / width) * 100,
    top: y0,
    height: y1 - y0,
  })
  const frames: Frame[] = []
  const tiles: Tile[] = []
  for (const node of layout.descendants()) {
    const { group, place } = node.data
    if (group) frames.push({ ...box(node), name: group.name, bytes: group.bytes, labelled: roomy(node) })
    else if (place) tiles.push({ ...box(node), place })
  }
  return { tiles, frames }
}
