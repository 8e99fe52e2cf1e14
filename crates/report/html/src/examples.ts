import type { Finding, Json } from './data'

const SHOWN = 5

/** Values of objects that findings quote, each once. */
export function examples(findings: Finding[]): string[] {
  const values = findings.flatMap(({ evidence }) => (Array.isArray(evidence.examples) ? evidence.examples : []))
  const texts = values.map(valueOf).filter((text): text is string => text !== null)
  return [...new Set(texts)].slice(0, SHOWN)
}

function valueOf(example: Json): string | null {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return null
  const { value } = example
  return typeof value === 'string' ? JSON.stringify(value) : typeof value === 'number' ? String(value) : null
}
