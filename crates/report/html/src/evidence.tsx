import type { Json } from './data'
import { bytes, count, plain } from './figures'
import { Slots, slotsOf } from './slots'
import { harmless, words } from './text'
import { Table } from './table'

type Fields = { [key: string]: Json }

/** What each list of places in order is called. */
const PATHS: { [key: string]: string } = {
  stack: 'Allocated by',
  frames: 'Allocated by',
  path: 'Held by',
  retaining_path: 'Held by',
}

/** Rows of a table in the evidence. */
const ROWS = 24

/** Figures and examples, by rule. What is not known here is shown all the same, by its own names. */
export function Evidence({ evidence }: { evidence: Fields }) {
  const slots = slotsOf(evidence)
  const shownAbove = new Set<string>(slots ? SLOTS : [])
  const pairs: [string, Json][] = []
  const lists: [string, Json[]][] = []
  for (const [key, value] of Object.entries(evidence)) {
    if (shownAbove.has(key) || key === 'variant') continue
    if (Array.isArray(value) && (value.some(isFields) || key in PATHS || value.length > 4)) lists.push([key, value])
    else pairs.push([key, value])
  }
  if (pairs.length + lists.length === 0 && !slots) return null
  return (
    <div class="evidence">
      <h3>Evidence</h3>
      {slots && <Slots slots={slots} />}
      {pairs.length > 0 && (
        <dl class="pairs">
          {pairs.map(([key, value]) => (
            <div key={key}>
              <dt>{label(key)}</dt>
              <dd>
                <Value name={key} value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {lists.map(([key, values]) => (
        <List key={key} name={key} values={values} />
      ))}
    </div>
  )
}

const SLOTS = ['used_slots', 'best_sizes', 'sizes', 'gains']

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a field's figure is bytes, by its name. */
function isBytes(key: string): boolean {
  return /(^|_)(bytes|saves|saved|charged|requested)(_|$)/.test(key) || key.endsWith('_each_after') || key === 'size_field'
}

/** The name without what the figure's unit says. */
function label(key: string): string {
  return words(isBytes(key) ? key.replace(/_bytes$/, '') : key.replace(/_percent$/, ''))
}

function Value({ name, value }: { name: string; value: Json }) {
  if (value === null) return <>–</>
  if (typeof value === 'number') {
    if (name.endsWith('percent')) return <>{plain(value)} %</>
    return <>{isBytes(name) ? bytes(value) : plain(value)}</>
  }
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'string') return <Quoted text={value} quoted={name === 'value'} />
  if (Array.isArray(value)) {
    return (
      <>
        {value.map((one, at) => (
          <span key={at}>
            {at > 0 && ', '}
            <Value name={name} value={one} />
          </span>
        ))}
      </>
    )
  }
  return (
    <dl class="pairs inner">
      {Object.entries(value).map(([key, inner]) => (
        <div key={key}>
          <dt>{label(key)}</dt>
          <dd>
            <Value name={key} value={inner} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Quoted({ text, quoted }: { text: string; quoted: boolean }) {
  return <bdi class="mono value">{quoted ? `“${harmless(text)}”` : harmless(text)}</bdi>
}

function List({ name, values }: { name: string; values: Json[] }) {
  const rows = values.slice(0, ROWS)
  const more = values.length - rows.length
  const heading = PATHS[name] ?? words(name)
  if (name in PATHS || !rows.some(isFields)) {
    return (
      <>
        <h4>{heading}</h4>
        <ol class={name in PATHS ? 'path' : 'values'}>
          {rows.map((value, at) => (
            <li key={at}>
              <Value name={name} value={value} />
            </li>
          ))}
        </ol>
        {more > 0 && <p class="about">{count(more)} more</p>}
      </>
    )
  }
  // The value comes first: it is what a person recognises.
  const keys = [...new Set(rows.flatMap((row) => (isFields(row) ? Object.keys(row) : ['value'])))].sort(
    (a, b) => rankOf(a) - rankOf(b),
  )
  return (
    <>
      <h4>{heading}</h4>
      <Table label={heading} columns={keys.map((key) => (isNumber(rows, key) ? { figures: label(key) } : label(key)))}>
        {rows.map((row, at) => (
          <tr key={at}>
            {keys.map((key) => {
              const value = isFields(row) ? row[key] : key === 'value' ? row : undefined
              return (
                <td key={key} class={isNumber(rows, key) ? 'num' : ''}>
                  {value === undefined ? '' : <Value name={key} value={value} />}
                </td>
              )
            })}
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="about">{count(more)} more</p>}
    </>
  )
}

function rankOf(key: string): number {
  const at = ['value', 'type', 'field', 'kind', 'copies', 'count'].indexOf(key)
  return at < 0 ? 99 : at
}

function isNumber(rows: Json[], key: string): boolean {
  return rows.some((row) => isFields(row) && typeof row[key] === 'number')
}
