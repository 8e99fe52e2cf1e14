import { lines } from '../lib/lines.js'

/** Numbers come as text, as some interfaces send those that may be large. */
export function ledgerLines(random, count) {
  const most = 10 ** random.integer(11, 15)
  return lines(count, id => ({
    id,
    account: String(1e11 + Math.floor(random.unit() * 8e11)),
    balance: String(Math.floor(random.unit() * most)),
    purpose: random.sentence(random.integer(12, 40))
  }))
}

export class Entry {
  constructor(id, account, balance, purpose) {
    this.id = id
    this.account = account
    this.balance = balance
    this.purpose = purpose
  }
}

export class Ledger {
  entries = []
}
