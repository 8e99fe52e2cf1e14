import { decoded } from '../lib/flat.js'

export function* members(random, count) {
  const roles = random.list(random.integer(6, 30), () => random.word(4))
  const sets = random.list(random.integer(10, 300), () => roles.filter(() => random.chance(0.3)))
  for (let index = 0; index < count; index++) {
    const set = random.favour(sets)
    yield { name: decoded(random.sentence(12)), roles: set.length > 0 ? set : [roles[0]] }
  }
}

export class Member {
  constructor(name, roles) {
    this.name = name
    this.roles = roles
  }
}

export class Team {
  members = []
}
