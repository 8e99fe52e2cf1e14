import { useLayoutEffect, useMemo, useState } from 'preact/hooks'

import { OTHERS, type Finding, type Group, type Page, type Weighing } from './data'
import { bytes, count, counted, share } from './figures'
import { GroupRow, Row } from './finding'
import { Flame } from './flame'
import { Choice } from './map'
import { address, linkTo, OPEN, openAddressed, type Opened } from './open'
import { useDeferredSearch } from './search'
import { harmless } from './text'

/** The search field. */
export const SEARCH = 'search'

/** Rows drawn at once: ten thousand would take seconds, and nobody reads them. */
const STEP = 100

type Order = 'saves' | 'alone' | 'objects' | 'place' | 'rule'

const ORDERS: [Order, string][] = [
  ['saves', 'saving'],
  ['alone', 'saving alone'],
  ['objects', 'objects'],
  ['place', 'place'],
  ['rule', 'rule'],
]

type Where = 'all' | 'heap' | 'outside'

/** A finding with its rank, from 0. */
interface Ranked {
  finding: Finding
  rank: number
}

/** A line of the list. */
type Line = { row: Ranked; member: boolean } | { group: Group } | { more: number; of: Group }

/** Findings of a group that are shown unless more are asked for. */
const MEMBERS = 3

export interface Rules {
  [code: string]: Page
}

/** What to fix: a list that can be searched, narrowed and sorted. */
export function Findings(props: {
  weighing: Weighing
  rules: Rules
  query: string
  onQuery: (query: string) => void
}) {
  const { weighing, rules, query, onQuery } = props
  const ranked = useMemo<Ranked[]>(
    () => weighing.findings.map((finding, rank) => ({ finding, rank })),
    [weighing],
  )
  const codes = useMemo(() => byRule(weighing.findings), [weighing])
  const [rule, setRule] = useState<string | null>(null)
  const [where, setWhere] = useState<Where>('all')
  const [order, setOrder] = useState<Order>('saves')
  const [down, setDown] = useState(true)
  const [limit, setLimit] = useState(STEP)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [whole, setWhole] = useState<ReadonlySet<Group>>(new Set())
  const found = useDeferredSearch(ranked, query)

  const rows = useMemo(() => {
    const kept = found.filter(
      ({ finding }) =>
        (rule === null || finding.rule === rule) && (where === 'all' || finding.external === (where === 'outside')),
    )
    return sorted(kept, order, down)
  }, [found, rule, where, order, down])
  const lines = useMemo(
    () => (order === 'saves' && down ? grouped(rows, weighing.groups, whole) : rows.map((row) => ({ row, member: false }))),
    [rows, weighing, order, down, whole],
  )
  useLayoutEffect(() => setLimit(STEP), [query, rule, where, order, down])

  useLayoutEffect(() => {
    const listen = (event: Event) => {
      const { fingerprint, rank: known } = (event as CustomEvent<Opened>).detail
      const rank = known ?? weighing.findings.findIndex((one) => one.fingerprint === fingerprint)
      if (rank < 0) return
      onQuery('')
      setRule(null)
      setWhere('all')
      setOrder('saves')
      setDown(true)
      // All groups are whole then, and each has a line of its own.
      setWhole(new Set(weighing.groups))
      setLimit((limit) => Math.max(limit, rank + 1 + weighing.groups.length + inGroups(weighing)))
      setOpen((open) => new Set(open).add(rank))
      // After the list has been drawn again.
      setTimeout(() => show(`finding-${rank}`), 50)
    }
    document.addEventListener(OPEN, listen)
    window.addEventListener('hashchange', openAddressed)
    return () => {
      document.removeEventListener(OPEN, listen)
      window.removeEventListener('hashchange', openAddressed)
    }
  }, [onQuery, weighing])

  if (weighing.findings.length === 0) return null
  const saved = rows.reduce((sum, { finding }) => sum + finding.saves, 0)
  const sortBy = (by: Order) => {
    if (by === order) setDown(!down)
    else {
      setOrder(by)
      setDown(by !== 'place' && by !== 'rule')
    }
  }
  const head = (by: Order, name: string, end: boolean) => (
    <button
      type="button"
      class={end ? 'sort end' : 'sort'}
      aria-pressed={order === by}
      aria-label={`Sort by ${name}${order === by ? (down ? ', largest first' : ', smallest first') : ''}`}
      onClick={() => sortBy(by)}
    >
      {name}
      <span aria-hidden="true">{order === by ? (down ? '↓' : '↑') : ''}</span>
    </button>
  )
  return (
    <section aria-labelledby="findings-title" id="findings" class="findings">
      <h2 id="findings-title">What to fix</h2>
      <p class="about">
        Each byte belongs to one finding, so the savings add up. ≈ marks an estimate, which names what it assumes.
      </p>
      <div class="toolbar" role="search">
        <label class="search">
          <span class="unseen">Search the findings</span>
          <input
            id={SEARCH}
            type="search"
            placeholder="Search place, rule, value …"
            value={query}
            onInput={(event) => onQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              onQuery('')
              event.currentTarget.blur()
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <label class="order">
          <span>Sort</span>
          <select value={order} onChange={(event) => sortBy(event.currentTarget.value as Order)}>
            {ORDERS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {weighing.external.dead > 0 && weighing.held.dead > 0 && (
          <Choice
            name="Where the bytes are"
            value={where}
            values={[
              ['all', 'all'],
              ['heap', 'held'],
              ['outside', 'external'],
            ]}
            onChange={setWhere}
          />
        )}
      </div>
      {codes.length > 1 && (
        <div class="chips" role="group" aria-label="Rules">
          {codes.map(({ code, number }) => (
            <button
              type="button"
              key={code}
              class="chip"
              aria-pressed={rule === code}
              title={rules[code]?.title ?? ''}
              onClick={() => setRule(rule === code ? null : code)}
            >
              <span class="code">{harmless(code)}</span> {rules[code]?.title ?? ''} <span class="number">{count(number)}</span>
            </button>
          ))}
        </div>
      )}
      <p class="sum" role="status">
        {rows.length === ranked.length
          ? `${counted(total(rows), 'finding')}, ${bytes(saved)} in all`
          : `${count(total(rows))} of ${counted(total(ranked), 'finding')}, ${bytes(saved)}`}
      </p>
      {rows.length > 0 && (
        <div class="columns" role="group" aria-label="Sort the findings">
          <span />
          {head('rule', 'rule', false)}
          {head('place', 'place', false)}
          {head('objects', 'objects', true)}
          {head('saves', 'saves', true)}
        </div>
      )}
      <ol class="list">
        {lines.slice(0, limit).map((line) => {
          if ('group' in line) {
            const { external, findings } = line.group
            const of = external ? 'external' : 'held'
            return <GroupRow key={findings[0]} group={line.group} of={of} whole={weighing[of].bytes} />
          }
          if ('more' in line) {
            return (
              <li key={`more ${line.of.findings[0]}`} class="member more">
                <button type="button" class="plain" onClick={() => setWhole((whole) => new Set(whole).add(line.of))}>
                  and {count(line.more)} more
                </button>
              </li>
            )
          }
          const { finding, rank } = line.row
          const of = finding.external ? 'external' : 'held'
          return (
            <Row
              key={rank}
              finding={finding}
              rank={rank}
              id={`finding-${rank}`}
              of={of}
              whole={weighing[of].bytes}
              rules={rules}
              open={open.has(rank)}
              member={line.member}
              onToggle={() => {
                if (!open.has(rank)) address(linkTo(finding))
                setOpen((open) => toggled(open, rank))
              }}
            />
          )
        })}
      </ol>
      {rows.length === 0 && <p class="none">Nothing matches. Esc in the search field clears it.</p>}
      {lines.length > limit && (
        <p class="more">
          <button type="button" class="plain" onClick={() => setLimit(limit + STEP)}>
            Show {count(Math.min(STEP, lines.length - limit))} more
          </button>
          <span>
            {count(lines.length - limit)} not shown, {bytes(rest(lines, limit))} (
            {share(rest(lines, limit), saved)} of these)
          </span>
        </p>
      )}
    </section>
  )
}

/** Advice that is never counted. */
export function Options({ weighing, rules }: { weighing: Weighing; rules: Rules }) {
  if (weighing.options.length === 0) return null
  return (
    <section aria-labelledby="options-title" class="findings options">
      <h2 id="options-title">Options, not counted</h2>
      <p class="about">
        They change how the program is written around its data, or the allocator under it. Each saves what is shown
        after all findings are fixed.
      </p>
      <Plain
        name="option"
        of="all"
        findings={weighing.options}
        whole={weighing.held.bytes + weighing.external.bytes}
        rules={rules}
      />
    </section>
  )
}

/** What was allocated, whether or not it was kept. */
export function Churn({ weighing: { churned }, rules }: { weighing: Weighing; rules: Rules }) {
  if (!churned) return null
  return (
    <section aria-labelledby="churn-title" class="findings options">
      <h2 id="churn-title">Temporary allocations</h2>
      <p class="about">
        {bytes(churned.bytes)}
        {churned.objects !== null && ` in ${count(churned.objects)} objects`} were allocated
        {churned.operations > 0 &&
          ` in ${count(churned.operations)} operations: ${bytes(Math.round(churned.bytes / churned.operations))} each`}
        , kept or not. These bytes are not part of held.
      </p>
      <Flame churned={churned} />
      <Plain name="churn" of="churned" findings={churned.findings} whole={churned.bytes} rules={rules} />
      {churned.options && churned.options.length > 0 && (
        <>
          <h3 class="also">Options, not counted</h3>
          <Plain name="churn-option" of="churned" findings={churned.options} whole={churned.bytes} rules={rules} />
        </>
      )}
    </section>
  )
}

/** Findings shown before more are asked for, in a list that is not searched. */
const PLAIN = 10

function Plain(props: { name: string; of: string; findings: Finding[]; whole: number; rules: Rules }) {
  const { name, of, findings, whole, rules } = props
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [limit, setLimit] = useState(PLAIN)
  useLayoutEffect(() => {
    const listen = (event: Event) => {
      const { fingerprint } = (event as CustomEvent<Opened>).detail
      const at = findings.findIndex((one) => one.fingerprint === fingerprint)
      if (at < 0) return
      setLimit((limit) => Math.max(limit, at + 1))
      setOpen((open) => new Set(open).add(at))
      setTimeout(() => show(`${name}-${at}`), 50)
    }
    document.addEventListener(OPEN, listen)
    return () => document.removeEventListener(OPEN, listen)
  }, [findings, name])
  return (
    <>
      <ol class="list">
        {findings.slice(0, limit).map((finding, at) => (
          <Row
            key={at}
            finding={finding}
            rank={null}
            id={`${name}-${at}`}
            of={of}
            whole={whole}
            rules={rules}
            open={open.has(at)}
            onToggle={() => setOpen((open) => toggled(open, at))}
          />
        ))}
      </ol>
      {limit < findings.length && (
        <p class="more">
          <button type="button" class="plain" onClick={() => setLimit(limit + STEP)}>
            Show {count(Math.min(STEP, findings.length - limit))} more
          </button>
        </p>
      )}
    </>
  )
}

/** Brings the row of a finding to the top of the window, with the focus on it. */
function show(id: string) {
  const button = document.getElementById(id)
  button?.scrollIntoView({ block: 'start' })
  button?.focus({ preventScroll: true })
}

function toggled(open: ReadonlySet<number>, at: number): ReadonlySet<number> {
  const next = new Set(open)
  if (!next.delete(at)) next.add(at)
  return next
}

function byRule(findings: Finding[]): { code: string; number: number }[] {
  const numbers = new Map<string, number>()
  for (const { rule } of findings) {
    if (rule !== OTHERS) numbers.set(rule, (numbers.get(rule) ?? 0) + 1)
  }
  return [...numbers].map(([code, number]) => ({ code, number })).sort((a, b) => (a.code < b.code ? -1 : 1))
}

function sorted(rows: Ranked[], order: Order, down: boolean): Ranked[] {
  const key: { [order in Order]: (finding: Finding) => number | string } = {
    saves: (finding) => finding.saves,
    alone: (finding) => finding.saves_alone,
    objects: (finding) => finding.count,
    place: (finding) => finding.holder || finding.site || '',
    rule: (finding) => finding.rule,
  }
  const of = key[order]
  const sign = down ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [of(a.finding), of(b.finding)]
    return x === y ? a.rank - b.rank : (x < y ? -1 : 1) * sign
  })
}

/** Findings that rows stand for. */
function total(rows: Ranked[]): number {
  return rows.reduce((sum, { finding }) => sum + (finding.rule === OTHERS ? finding.count : 1), 0)
}

function rest(lines: Line[], from: number): number {
  return lines.slice(from).reduce((sum, line) => sum + ('row' in line ? line.row.finding.saves : 0), 0)
}

function inGroups({ groups }: Weighing): number {
  return groups.reduce((sum, group) => sum + group.findings.length, 0)
}

/** The findings of each group under a row of its own, in the order of what rows save. */
function grouped(rows: Ranked[], groups: Group[], whole: ReadonlySet<Group>): Line[] {
  const groupOf = new Map(groups.flatMap((group) => group.findings.map((member) => [member, group] as const)))
  const items = new Map<Ranked | Group, Ranked[]>()
  for (const row of rows) {
    const item = groupOf.get(row.finding.fingerprint) ?? row
    const members = items.get(item)
    if (members) members.push(row)
    else items.set(item, [row])
  }
  const saves = (members: Ranked[]) => members.reduce((sum, { finding }) => sum + finding.saves, 0)
  const sorted = [...items].sort(([, a], [, b]) => saves(b) - saves(a))
  return sorted.flatMap(([item, members]): Line[] => {
    // What a search leaves alone of its group needs none.
    if (!('findings' in item) || members.length < 2) return members.map((row) => ({ row, member: false }))
    const shown = whole.has(item) ? members : members.slice(0, MEMBERS)
    const lines: Line[] = [{ group: item }, ...shown.map((row) => ({ row, member: true }))]
    return shown.length < members.length ? [...lines, { more: members.length - shown.length, of: item }] : lines
  })
}
