import { serve } from '../lib/service.js'
import { parts, Report } from './input.js'

serve((random, count) => {
  const report = new Report()
  for (const lines of parts(random, count)) report.pages.push(lines.map(line => `${line}\n`).join(''))
  return report
})
