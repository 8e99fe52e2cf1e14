import { serve } from '../lib/service.js'
import { readings } from './input.js'

class Reading {
  constructor({ station, sensor, at, value, drift, checked }) {
    this.station = station
    this.sensor = sensor
    this.at = at
    this.value = value
    this.drift = drift
    this.checked = checked
  }
}

class Series {
  // As the columns are: the list has as many slots as readings come.
  constructor(count) {
    this.readings = new Array(count)
  }
}

serve((random, count) => {
  const series = new Series(count)
  let row = 0
  for (const reading of readings(random, count)) series.readings[row++] = new Reading(reading)
  return series
})
