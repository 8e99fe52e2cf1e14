import { serve } from '../lib/service.js'
import { userLines, User, Users } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const users = new Users()
  for (const line of userLines(random, count)) {
    const { name, preferences } = JSON.parse(line)
    const key = JSON.stringify(preferences)
    if (!seen.has(key)) seen.set(key, preferences)
    users.list.push(new User(name, seen.get(key)))
  }
  return users
})
