import type { Proof, Renamed } from './data'
import { bytes } from './figures'
import { harmless } from './text'
import { Table } from './table'

/** Names beyond these are counted. */
const SHOWN = 12

/** What to know before believing the figures. */
export function Notes({ id, notes, renamed }: { id: string; notes: string[]; renamed: Renamed[] }) {
  if (notes.length + renamed.length === 0) return null
  return (
    <section aria-labelledby={id} class="notes">
      <h2 id={id}>To know before believing it</h2>
      <ul>
        {notes.map((note) => (
          <li key={note}>{harmless(note)}</li>
        ))}
        {renamed.slice(0, SHOWN).map(({ before, after }) => (
          <li key={before + after}>
            <bdi class="mono">{harmless(before)}</bdi> is called <bdi class="mono">{harmless(after)}</bdi> after the change
          </li>
        ))}
        {renamed.length > SHOWN && <li>and {renamed.length - SHOWN} more names</li>}
      </ul>
    </section>
  )
}

export function NewFindings({ id, title, rows }: { id: string; title: string; rows: Proof['new'] }) {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table label={`${title}: table`} columns={['rule', 'place', 'what is there', { figures: 'would save' }]}>
        {rows.map((row, at) => (
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
      </Table>
    </section>
  )
}
