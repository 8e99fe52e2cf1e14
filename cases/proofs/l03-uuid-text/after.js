import { serve } from '../lib/service.js'
import { deviceLines, Devices } from './input.js'

class Device {
  constructor({ uuid, name, battery, signal }) {
    const digits = uuid.replaceAll('-', '')
    this.uuid0 = parseInt(digits.slice(0, 8), 16) | 0
    this.uuid1 = parseInt(digits.slice(8, 16), 16) | 0
    this.uuid2 = parseInt(digits.slice(16, 24), 16) | 0
    this.uuid3 = parseInt(digits.slice(24), 16) | 0
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
