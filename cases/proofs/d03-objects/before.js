import { serve } from '../lib/service.js'
import { userLines, User, Users } from './input.js'

serve((random, count) => {
  const users = new Users()
  for (const line of userLines(random, count)) {
    const { name, preferences } = JSON.parse(line)
    users.list.push(new User(name, preferences))
  }
  return users
})
