import { serve } from '../lib/service.js'
import { headersOf, Call, Log } from './input.js'

serve((random, count) => {
  const log = new Log()
  for (const [path, { host, type, length, agent, status, cached }] of headersOf(random, count)) {
    const headers = Object.create(null)
    headers.host = host
    headers.type = type
    headers.length = length
    headers.agent = agent
    headers.status = status
    headers.cached = cached
    log.calls.push(new Call(path, headers))
  }
  return log
})
