import { decoded } from '../lib/flat.js'
import { serve } from '../lib/service.js'
import { agentsOf, Sessions } from './input.js'

serve((random, count) => {
  const agents = new Map()
  for (const [session, agent] of agentsOf(random, count)) agents.set(session, decoded(agent))
  return new Sessions(agents)
})
