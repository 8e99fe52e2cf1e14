import { serve } from '../lib/service.js'
import { settings, Tenants } from './input.js'

class Tenant {
  constructor({ name, color, limit, trial, language }) {
    this.name = name
    this.color = color
    this.limit = limit
    this.trial = trial
    this.language = language
  }
}

serve((random, count) => {
  const tenants = new Tenants()
  for (const setting of settings(random, count)) tenants.list.push(new Tenant(setting))
  return tenants
})
