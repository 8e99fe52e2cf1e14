import { serve } from '../lib/service.js'
import { table, Census } from './input.js'

class Row {
  constructor(cells) {
    this.country = cells[0]
    this.year = cells[1]
    this.month = cells[2]
    this.births = cells[3]
    this.deaths = cells[4]
    this.arrivals = cells[5]
    this.departures = cells[6]
    this.marriages = cells[7]
    this.divorces = cells[8]
    this.households = cells[9]
    this.dwellings = cells[10]
    this.vacant = cells[11]
    this.employed = cells[12]
    this.unemployed = cells[13]
    this.students = cells[14]
    this.retired = cells[15]
    this.income = cells[16]
    this.median = cells[17]
    this.rent = cells[18]
    this.price = cells[19]
    this.area = cells[20]
    this.density = cells[21]
    this.source = cells[22]
    this.revised = cells[23]
  }
}

serve((random, count) => {
  const census = new Census()
  for (const cells of table(random, count)) census.rows.push(new Row(cells))
  return census
})
