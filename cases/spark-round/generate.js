// Writes a deterministic round of measurements as NDJSON on stdout:
//
//   node generate.js COUNT [--shape published] > round.ndjson
//
// The same COUNT gives the same bytes on every machine and Node.js version.

import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { generateMeasurements } from './lib/generator.js'
import { shapeOf } from './lib/shapes.js'

const LINES_PER_WRITE = 256

/** Writes `count` lines of a shape to `output`, never faster than it takes them. */
export async function writeRound(count, output, shape = 'own') {
  let pending = ''
  let lines = 0
  for (const measurement of generateMeasurements(count, shape)) {
    pending += JSON.stringify(measurement) + '\n'
    if (++lines % LINES_PER_WRITE === 0) {
      if (!output.write(pending)) await once(output, 'drain')
      pending = ''
    }
  }
  output.write(pending)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const count = Number(process.argv[2])
  if (!Number.isSafeInteger(count) || count < 0) {
    console.error('usage: node generate.js COUNT [--shape published] > round.ndjson')
    process.exit(2)
  }
  await writeRound(count, process.stdout, shapeOf(process.argv).name)
}
