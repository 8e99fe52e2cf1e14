import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { visits } from './input.js'

class Visit {
  constructor({ page, country, seconds, user, bounced }) {
    this.page = page
    this.country = country
    this.seconds = seconds
    this.user = user
    this.bounced = bounced
  }
}

class Visits {
  constructor(count) {
    this.list = new Array(count)
  }
}

serve((random, count) => {
  const intern = interner()
  const all = new Visits(count)
  let row = 0
  for (const visit of visits(random, count)) {
    visit.page = intern(visit.page)
    visit.country = intern(visit.country)
    all.list[row++] = new Visit(visit)
  }
  return all
})
