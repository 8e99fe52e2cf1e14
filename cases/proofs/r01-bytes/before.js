import { serve } from '../lib/service.js'
import { packets, Capture } from './input.js'

serve((random, count) => {
  const capture = new Capture()
  for (const { packet, header } of packets(random, count)) capture.headers.push(packet.subarray(0, header))
  return capture
})
