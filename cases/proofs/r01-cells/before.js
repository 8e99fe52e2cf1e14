import { serve } from '../lib/service.js'
import { rows, Import } from './input.js'

serve((random, count) => {
  const table = new Import()
  for (const row of rows(random, count)) table.names.push(row.split(';')[1])
  return table
})
