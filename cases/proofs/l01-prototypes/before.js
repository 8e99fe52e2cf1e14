import { serve } from '../lib/service.js'
import { settings, Tenants } from './input.js'

serve((random, count) => {
  const tenants = new Tenants()
  for (const { name, color, limit, trial, language } of settings(random, count)) {
    const tenant = Object.create({})
    tenant.name = name
    tenant.color = color
    tenant.limit = limit
    tenant.trial = trial
    tenant.language = language
    tenants.list.push(tenant)
  }
  return tenants
})
