// What was allocated, as a flame graph that hangs down: all, the file, the line with its function, the type.

import { useMemo, useState } from 'preact/hooks'

import type { Allocated, Churned } from './data'
import { bytes, count, share } from './figures'
import { harmless } from './text'

interface Node {
  name: string
  bytes: number
  count: number | null
  below: Node[]
}

/** Nodes below this share of what is shown have no bar: they would be narrower than a pixel. */
const NARROWEST = 0.002

/** Bars above this share are wide enough for a finger on a telephone, and a stop for the keyboard. */
const TOUCHED = 0.08

/** What was allocated, by file, line and type; a bar that is chosen takes the whole width. */
export function Flame({ churned }: { churned: Churned }) {
  const { allocated } = churned
  const whole = useMemo(() => (allocated ? treeOf(allocated, churned.bytes) : null), [allocated, churned])
  const [way, setWay] = useState<Node[]>([])
  if (!whole || whole.below.length === 0) return null
  const shown = way.at(-1) ?? whole
  return (
    <div class="flame" role="group" aria-label="What was allocated, by file, line and type">
      {[whole, ...way].slice(0, -1).map((node, depth) => (
        <button type="button" key={depth} class="bar-of above" onClick={() => setWay(way.slice(0, depth))}>
          <span>
            <bdi>{node.name}</bdi> · {bytes(node.bytes)} · back to it
          </span>
        </button>
      ))}
      <Stack
        node={shown}
        all={whole.bytes}
        within={shown.bytes}
        onPick={(picked) => setWay([...way, ...picked])}
        way={[]}
      />
    </div>
  )
}

function Stack(props: {
  node: Node
  all: number
  /** Bytes of the widest bar. */
  within: number
  way: Node[]
  onPick: (way: Node[]) => void
}) {
  const { node, all, within, way, onPick } = props
  const below = node.below.filter((one) => one.bytes >= within * NARROWEST)
  const many = node.count === null ? '' : `, ${count(node.count)} objects`
  const about = `${node.name}: ${bytes(node.bytes)}${many}, ${share(node.bytes, all)} of all`
  const leads = way.length > 0 && node.below.length > 0
  const text = (
    <span>
      <bdi>{node.name}</bdi> · {bytes(node.bytes)}
    </span>
  )
  return (
    <div class="stack">
      {leads && node.bytes >= within * TOUCHED ? (
        <button type="button" class="bar-of" title={about} onClick={() => onPick(way)}>
          {text}
        </button>
      ) : (
        <div class="bar-of" title={about} onClick={() => leads && onPick(way)}>
          {text}
        </div>
      )}
      {below.length > 0 && (
        <div class="below">
          {below.map((one, at) => (
            <div key={at} style={{ width: `${(one.bytes / node.bytes) * 100}%` }}>
              <Stack node={one} all={all} within={within} way={[...way, one]} onPick={onPick} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Files with their lines, and lines with the types that are made there, the largest first. */
function treeOf({ places, folded }: Allocated, all: number): Node {
  const whole: Node = { name: 'all allocations', bytes: all, count: null, below: [] }
  const nodes = new Map<string, Node>()
  const below = (parent: Node, key: string, name: string): Node => {
    const known = nodes.get(key)
    if (known) return known
    const node: Node = { name, bytes: 0, count: null, below: [] }
    nodes.set(key, node)
    parent.below.push(node)
    return node
  }
  for (const { site, function: name, holds, count, bytes } of places) {
    const file = harmless(site.replace(/:\d+(:\d+)?$/, '')) || 'no line of the program'
    const line = /:(\d+)(:\d+)?$/.exec(site)?.[1]
    const row = [line && `line ${line}`, harmless(name)].filter(Boolean).join(', ') || file
    const way = [below(whole, file, file)]
    way.push(below(way[0]!, `${file}\n${site}\n${name}`, row))
    if (holds) way.push(below(way[1]!, `${file}\n${site}\n${name}\n${holds}`, harmless(holds)))
    for (const node of way) {
      node.bytes += bytes
      if (count !== null) node.count = (node.count ?? 0) + count
    }
  }
  if (folded.bytes > 0) {
    whole.below.push({ name: `${count(folded.places)} small places`, bytes: folded.bytes, count: folded.count, below: [] })
  }
  for (const node of [whole, ...nodes.values()]) node.below.sort((a, b) => b.bytes - a.bytes)
  // Where places do not add up to all, as in samples, bars would not fit.
  whole.bytes = Math.max(whole.bytes, whole.below.reduce((sum, one) => sum + one.bytes, 0))
  return whole
}
