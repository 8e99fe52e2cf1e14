import { decoded } from '../lib/flat.js'

/** Accounts with their transfers: many come in, and all but a few are settled. */
export function* accounts(random, count) {
  const most = random.integer(40, 60)
  for (let index = 0; index < count; index++) {
    const transfers = random.list(random.integer(33, most), at => decoded(`${random.word()}-${at}`))
    yield { owner: decoded(random.sentence(14)), transfers, settled: random.integer(12, 17) }
  }
}

export class Account {
  constructor(owner, open) {
    this.owner = owner
    this.open = open
  }
}

export class Bank {
  accounts = []
}
