import { serve } from '../lib/service.js'
import { panelLines, NAMES, Panel } from './input.js'

// What a schema compiler would write: a class with one assignment for each name.
const assignments = NAMES.map(name => `this.${name} = record.${name}`).join('\n')
const Row = new Function(`return class Row { constructor(record) { ${assignments} } }`)()

serve((random, count) => {
  const panel = new Panel()
  for (const line of panelLines(random, count)) panel.rows.push(new Row(JSON.parse(line)))
  return panel
})
