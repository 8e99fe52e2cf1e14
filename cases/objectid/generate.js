// Writes deterministic documents as NDJSON on stdout:
//
//   node generate.js COUNT > documents.ndjson
//
// The same COUNT gives the same bytes on every machine and Node.js version.

import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { generateDocuments } from './lib/generator.js'

const LINES_PER_WRITE = 256

/** Writes `count` lines to `output`, never faster than it takes them. */
export async function writeDocuments(count, output) {
  let pending = ''
  let lines = 0
  for (const document of generateDocuments(count)) {
    pending += JSON.stringify(document) + '\n'
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
    console.error('usage: node generate.js COUNT > documents.ndjson')
    process.exit(2)
  }
  await writeDocuments(count, process.stdout)
}
