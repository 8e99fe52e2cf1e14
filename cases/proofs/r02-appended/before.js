import { serve } from '../lib/service.js'
import { parts, Report } from './input.js'

serve((random, count) => {
  const report = new Report()
  for (const lines of parts(random, count)) {
    let page = ''
    for (const line of lines) page += line + '\n'
    report.pages.push(page)
  }
  return report
})
