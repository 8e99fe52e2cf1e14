import { serve } from '../lib/service.js'
import { COLUMNS, table, Census } from './input.js'

serve((random, count) => {
  const census = new Census()
  for (const cells of table(random, count)) {
    const row = {}
    for (const [at, name] of COLUMNS.entries()) row[name] = cells[at]
    census.rows.push(row)
  }
  return census
})
