import { decoded } from '../lib/flat.js'
import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { agentsOf, Sessions } from './input.js'

serve((random, count) => {
  const intern = interner()
  const agents = new Map()
  for (const [session, agent] of agentsOf(random, count)) agents.set(session, intern(decoded(agent)))
  return new Sessions(agents)
})
