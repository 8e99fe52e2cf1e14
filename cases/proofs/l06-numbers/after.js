import { serve } from '../lib/service.js'
import { readings } from './input.js'

class Series {
  constructor(count) {
    this.station = new Uint16Array(count)
    this.sensor = new Uint8Array(count)
    this.at = new Float64Array(count)
    this.value = new Float64Array(count)
    this.drift = new Int16Array(count)
    this.checked = new Uint8Array(count)
  }

  set(row, { station, sensor, at, value, drift, checked }) {
    this.station[row] = station
    this.sensor[row] = sensor
    this.at[row] = at
    this.value[row] = value
    this.drift[row] = drift
    this.checked[row] = checked ? 1 : 0
  }
}

serve((random, count) => {
  const series = new Series(count)
  let row = 0
  for (const reading of readings(random, count)) series.set(row++, reading)
  return series
})
