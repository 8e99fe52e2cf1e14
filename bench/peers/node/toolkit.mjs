// The worker of the browser's developer tools, as a program: loads a snapshot and prints its statistics.
import { createReadStream } from 'node:fs'
import { parse } from 'heap-snapshot-toolkit'

const snapshot = await parse(createReadStream(process.argv[2], 'utf-8'))
console.log(snapshot.getStatistics())
// Its worker keeps the process alive.
process.exit(0)
