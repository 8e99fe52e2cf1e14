import { serve } from '../lib/service.js'
import { panelLines, Panel } from './input.js'

serve((random, count) => {
  const panel = new Panel()
  for (const line of panelLines(random, count)) panel.rows.push(JSON.parse(line))
  return panel
})
