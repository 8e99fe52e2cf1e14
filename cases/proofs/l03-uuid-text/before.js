import { serve } from '../lib/service.js'
import { deviceLines, Devices } from './input.js'

class Device {
  constructor({ uuid, name, battery, signal }) {
    this.uuid = uuid
    this.name = name
    this.battery = battery
    this.signal = signal
  }
}

serve((random, count) => {
  const devices = new Devices()
  for (const line of deviceLines(random, count)) devices.list.push(new Device(JSON.parse(line)))
  return devices
})
