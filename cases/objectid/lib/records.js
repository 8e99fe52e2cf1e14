import { createReadStream } from 'node:fs'

/** Yields the records of an NDJSON file, or of stdin, with no more than a chunk of text in memory. */
export async function* readRecords(path) {
  const input = path === undefined || path === '-' ? process.stdin : createReadStream(path)
  input.setEncoding('utf8')
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (line !== '') yield JSON.parse(line)
    }
  }
  if (rest !== '') yield JSON.parse(rest)
}
