import { serve } from '../lib/service.js'
import { headersOf, Call, Log } from './input.js'

class Headers {
  constructor({ host, type, length, agent, status, cached }) {
    this.host = host
    this.type = type
    this.length = length
    this.agent = agent
    this.status = status
    this.cached = cached
  }
}

serve((random, count) => {
  const log = new Log()
  for (const [path, headers] of headersOf(random, count)) log.calls.push(new Call(path, new Headers(headers)))
  return log
})
