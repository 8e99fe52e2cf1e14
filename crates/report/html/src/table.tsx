import type { ComponentChildren } from 'preact'

/** A column's heading: a name, and whether figures stand below it. */
export type Column = string | { figures: string }

/** A table of figures that scrolls by itself where the page is narrow. `label` is for who hears it. */
export function Table({ label, columns, children }: { label: string; columns: Column[]; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="figures">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" class={typeof column === 'string' ? undefined : 'num'}>
                {typeof column === 'string' ? column : column.figures}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
