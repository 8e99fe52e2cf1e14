import { serve } from '../lib/service.js'
import { ledgerLines, Entry, Ledger } from './input.js'

serve((random, count) => {
  const ledger = new Ledger()
  for (const line of ledgerLines(random, count)) {
    const { id, account, balance, purpose } = JSON.parse(line)
    ledger.entries.push(new Entry(id, Number(account), Number(balance), purpose))
  }
  return ledger
})
