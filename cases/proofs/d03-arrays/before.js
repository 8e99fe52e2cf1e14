import { serve } from '../lib/service.js'
import { members, Member, Team } from './input.js'

serve((random, count) => {
  const team = new Team()
  for (const { name, roles } of members(random, count)) team.members.push(new Member(name, [...roles]))
  return team
})
