/** Packets of a network: a header of a few bytes, and what they carry. */
export function* packets(random, count) {
  const most = random.integer(9000, 20000)
  for (let index = 0; index < count; index++) {
    const header = random.integer(100, 160)
    const packet = Buffer.allocUnsafeSlow(random.integer(5000, most)).fill(random.integer(1, 255))
    random.bytes(header).copy(packet)
    yield { packet, header }
  }
}

export class Capture {
  headers = []
}
