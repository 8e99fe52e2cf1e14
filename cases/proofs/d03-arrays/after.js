import { serve } from '../lib/service.js'
import { members, Member, Team } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const team = new Team()
  for (const { name, roles } of members(random, count)) {
    const key = roles.join()
    if (!seen.has(key)) seen.set(key, [...roles])
    team.members.push(new Member(name, seen.get(key)))
  }
  return team
})
