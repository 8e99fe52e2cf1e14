import type { Json } from './data'
import { bytes, count } from './figures'
import { Table } from './table'

/** How full equal nodes are, and the sizes that would fit them. */
export interface SlotFacts {
  /** Nodes that use 0, 1, … slots. */
  used: number[]
  best: number[]
  steps: Step[]
}

interface Step {
  sizes: number[]
  bytes: number
  saves: number
  gain: number
}

/** The facts in a finding's evidence; none when it is about something else. */
export function slotsOf(evidence: { [key: string]: Json }): SlotFacts | null {
  const used = numbers(evidence.used_slots)
  if (!used || used.length < 2 || !used.some((nodes) => nodes > 0)) return null
  const steps = Array.isArray(evidence.sizes) ? evidence.sizes : []
  return {
    used,
    best: numbers(evidence.best_sizes) ?? [],
    steps: steps.flatMap((step): Step[] => {
      if (typeof step !== 'object' || step === null || Array.isArray(step)) return []
      const sizes = numbers(step.sizes)
      const { bytes, saves, gain } = step
      return sizes && typeof bytes === 'number' && typeof saves === 'number' && typeof gain === 'number'
        ? [{ sizes, bytes, saves, gain }]
        : []
    }),
  }
}

function numbers(value: Json | undefined): number[] | null {
  return Array.isArray(value) && value.every((one) => typeof one === 'number') ? (value as number[]) : null
}

/** `2, 4 or 16` */
function list(sizes: number[]): string {
  return sizes.length < 2 ? sizes.join('') : `${sizes.slice(0, -1).join(', ')} or ${sizes.at(-1)}`
}

export function Slots({ slots }: { slots: SlotFacts }) {
  return (
    <>
      <Histogram slots={slots} />
      {slots.steps.length > 0 && <Curve slots={slots} />}
    </>
  )
}

const WIDTH = 480
const HEIGHT = 190
const LEFT = 56
const RIGHT = 12
const TOP = 14
const BOTTOM = 34

function Histogram({ slots: { used, best } }: { slots: SlotFacts }) {
  const most = Math.max(1, ...used)
  const step = (WIDTH - LEFT - RIGHT) / used.length
  const y = (nodes: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - nodes / most)
  const nodes = used.reduce((sum, number) => sum + number, 0)
  const every = Math.ceil(used.length / 20)
  return (
    <figure>
      <figcaption>
        How many slots nodes use; the marks are the chosen sizes: {list(best)}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Of ${count(nodes)} nodes: ${used
          .map((number, slots) => [number, slots] as const)
          .filter(([number]) => number > 0)
          .map(([number, slots]) => `${count(number)} use ${slots}`)
          .join(', ')}. Chosen sizes: ${list(best)}.`}
      >
        <Axis most={most} y={y} shown={count} />
        {used.map((number, at) => (
          <g key={at}>
            <rect
              class={best.includes(at) ? 'column chosen' : 'column'}
              x={LEFT + at * step + step * 0.12}
              y={y(number)}
              width={step * 0.76}
              height={Math.max(number > 0 ? 1 : 0, y(0) - y(number))}
            >
              <title>
                {count(number)} nodes use {at}
              </title>
            </rect>
            {at % every === 0 && (
              <text class="tick" x={LEFT + (at + 0.5) * step} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
                {at}
              </text>
            )}
            {best.includes(at) && (
              <path
                class="mark"
                d={`M${LEFT + (at + 0.5) * step} ${HEIGHT - BOTTOM + 18}l5 9h-10z`}
                transform={at % every === 0 ? '' : 'translate(0 -10)'}
              />
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}

/** What each further size gains. */
function Curve({ slots: { steps, best } }: { slots: SlotFacts }) {
  const most = Math.max(1, ...steps.map((step) => step.saves))
  const last = Math.max(1, ...steps.map((step) => step.sizes.length))
  const x = (sizes: { length: number }) => LEFT + ((sizes.length - 0.5) / last) * (WIDTH - LEFT - RIGHT)
  // Nodes as they are have one size, and save nothing: the curve starts there.
  const points = [{ sizes: { length: 1 }, saves: 0 }, ...steps]
  const y = (saves: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - saves / most)
  const chosen = (sizes: number[]) => sizes.join() === best.join()
  return (
    <figure>
      <figcaption>What is saved with more sizes: each further one gains less</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={steps
          .map((step) => `${list(step.sizes)}: saves ${bytes(step.saves)}${chosen(step.sizes) ? ', chosen' : ''}`)
          .join('; ')}
      >
        <Axis most={most} y={y} shown={bytes} />
        <polyline class="line" points={points.map((step) => `${x(step.sizes)},${y(step.saves)}`).join(' ')} />
        <circle class="dot" cx={x({ length: 1 })} cy={y(0)} r={3.5} />
        <text class="tick" x={x({ length: 1 })} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
          1, as now
        </text>
        {steps.map((step) => (
          <g key={step.sizes.join()}>
            <circle class={chosen(step.sizes) ? 'dot chosen' : 'dot'} cx={x(step.sizes)} cy={y(step.saves)} r={chosen(step.sizes) ? 6 : 3.5} />
            <text class="tick" x={x(step.sizes)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
              {step.sizes.length}
            </text>
          </g>
        ))}
        <text class="tick" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} text-anchor="middle">
          number of sizes
        </text>
      </svg>
      <Table label="Sizes and what they save" columns={['room for', { figures: 'takes' }, { figures: 'saves' }, { figures: 'gain' }]}>
        {steps.map((step) => (
          <tr key={step.sizes.join()} class={chosen(step.sizes) ? 'chosen' : ''}>
            <th scope="row">
              {list(step.sizes)}
              {chosen(step.sizes) && <b> ← chosen</b>}
            </th>
            <td class="num">{bytes(step.bytes)}</td>
            <td class="num">{bytes(step.saves)}</td>
            <td class="num">+{bytes(step.gain)}</td>
          </tr>
        ))}
      </Table>
    </figure>
  )
}

function Axis({ most, y, shown }: { most: number; y: (value: number) => number; shown: (value: number) => string }) {
  return (
    <>
      {[0, 0.5, 1].map((part) => {
        const value = Math.round(most * part)
        return (
          <g key={part}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
            <text class="tick" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {shown(value)}
            </text>
          </g>
        )
      })}
    </>
  )
}
