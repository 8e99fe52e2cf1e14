import { lines } from '../lib/lines.js'

export const NAMES = Array.from({ length: 132 }, (_, index) => `m${String(index).padStart(3, '0')}`)

/** Answers of a long questionnaire: numbers, marks, and for some questions text. */
export function panelLines(random, count) {
  const kinds = NAMES.map(() => random.pick(['number', 'number', 'mark', 'text']))
  const answer = { number: () => random.integer(0, 500), mark: () => random.chance(0.5), text: () => random.word(2) }
  return lines(count, () => Object.fromEntries(NAMES.map((name, at) => [name, answer[kinds[at]]()])))
}

export class Panel {
  rows = []
}
