import { serve } from '../lib/service.js'
import { packets, Capture } from './input.js'

serve((random, count) => {
  const capture = new Capture()
  for (const { packet, header } of packets(random, count)) {
    const copy = Buffer.allocUnsafeSlow(header)
    packet.copy(copy, 0, 0, header)
    capture.headers.push(copy)
  }
  return capture
})
