import { decoded } from '../lib/flat.js'
import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { requests, Log, Request } from './input.js'

serve((random, count) => {
  const intern = interner()
  const log = new Log()
  for (const { path, headers } of requests(random, count)) {
    const parsed = new Map()
    for (const [name, value] of headers) parsed.set(intern(decoded(name)), value)
    log.requests.push(new Request(path, parsed))
  }
  return log
})
