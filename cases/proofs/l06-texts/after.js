import { serve } from '../lib/service.js'
import { visits } from './input.js'

class Coded {
  texts = []
  codes = new Map()

  constructor(rows) {
    this.rows = rows
  }

  set(row, text) {
    let code = this.codes.get(text)
    if (code === undefined) {
      code = this.texts.length
      this.texts.push(text)
      this.codes.set(text, code)
    }
    this.rows[row] = code
  }
}

class Visits {
  constructor(count) {
    this.page = new Coded(new Uint16Array(count))
    this.country = new Coded(new Uint8Array(count)) // up to 200 of them
    this.seconds = new Uint16Array(count)
    this.user = new Array(count).fill(null)
    this.bounced = new Uint8Array(count)
  }

  set(row, { page, country, seconds, user, bounced }) {
    this.page.set(row, page)
    this.country.set(row, country)
    this.seconds[row] = seconds
    this.user[row] = user
    this.bounced[row] = bounced ? 1 : 0
  }
}

serve((random, count) => {
  const all = new Visits(count)
  let row = 0
  for (const visit of visits(random, count)) all.set(row++, visit)
  return all
})
