import { bytes } from './figures'
import { harmless } from './text'
import { Table, type Column } from './table'

/** A place or a line, before and after. `saved` is negative where there is more. */
export type Change = {
  at: string
  what: string
  objects: [string, string]
  before: number
  after: number
  saved: number
}

/** What changed though no finding speaks of it; nothing when nothing did. `columns` name where, and what is there. */
export function Changes(props: { id: string; title: string; about: string; columns: [string, string]; rows: Change[] }) {
  const { id, title, about, rows } = props
  if (rows.length === 0) return null
  const figures = ['objects', 'before', 'after', 'change'].map((name) => ({ figures: name }))
  const columns: Column[] = [...props.columns, ...figures]
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="about">{about}</p>
      <Table label={`${title}: table`} columns={columns}>
        {rows.map((row, at) => (
          <tr key={at}>
            <th scope="row">
              <bdi class="mono">{row.at}</bdi>
            </th>
            <td>
              <bdi class="mono">{harmless(row.what)}</bdi>
            </td>
            <td class="num">{row.objects.join(' → ')}</td>
            <td class="num">{bytes(row.before)}</td>
            <td class="num">{bytes(row.after)}</td>
            <td class="num">
              <b>
                {row.saved < 0 ? '+' : '−'}
                {bytes(Math.abs(row.saved))}
              </b>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
