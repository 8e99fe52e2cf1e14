import { lines } from '../lib/lines.js'

const OPTIONS = ['mail', 'sound', 'beta', 'digest', 'mentions', 'replies', 'summary', 'compact', 'contrast']

export function userLines(random, count) {
  const options = OPTIONS.slice(0, random.integer(2, OPTIONS.length))
  const zones = random.list(random.integer(5, 40), () => `${random.word(4)}/${random.word(4)}`)
  const kinds = random.list(random.integer(20, 400), () => ({
    zone: random.pick(zones),
    page: random.pick([10, 25, 50]),
    scale: random.integer(80, 120) / 100,
    ...Object.fromEntries(options.map(option => [option, random.chance(0.5)]))
  }))
  return lines(count, () => ({ name: random.sentence(random.integer(10, 30)), preferences: random.favour(kinds) }))
}

export class User {
  constructor(name, preferences) {
    this.name = name
    this.preferences = preferences
  }
}

export class Users {
  list = []
}
