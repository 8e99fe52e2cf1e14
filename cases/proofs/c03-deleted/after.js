import { serve } from '../lib/service.js'
import { accounts, Account, Bank } from './input.js'

serve((random, count) => {
  const bank = new Bank()
  for (const { owner, transfers, settled } of accounts(random, count)) {
    const open = new Map()
    for (const transfer of transfers) open.set(transfer, owner)
    for (const transfer of transfers.slice(0, settled)) open.delete(transfer)
    bank.accounts.push(new Account(owner, new Map([...open])))
  }
  return bank
})
