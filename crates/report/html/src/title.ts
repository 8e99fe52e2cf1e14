import type { Data, Source } from './data'
import { bytes } from './figures'
import { harmless } from './text'

/** The program's name, from the directory of its capture or else the file of its dump. */
export function programOf(source: Pick<Source, 'path'>): string {
  const parts = source.path.split(/[\\/]/).filter(Boolean)
  const capture = [...parts].reverse().find((part) => part.endsWith('.deadweight'))
  const name = capture?.replace(/(-\d+)*\.deadweight$/, '') || parts.at(-1) || 'a program'
  return harmless(name)
}

/** What a tab or a bookmark shows. */
export function titleOf(data: Data | null, shown: number): string {
  const weighing = data?.weighings?.[shown]
  if (weighing) {
    const { held, external, churned } = weighing
    const dead = held.dead + external.dead
    const alone = held.bytes + external.bytes === 0 && churned
    const what = alone
      ? `${bytes(churned.bytes)} allocated`
      : dead > 0
        ? `${bytes(dead)} dead weight`
        : 'no dead weight was found'
    return `${programOf(weighing.source)}: ${what} – Deadweight`
  }
  if (data?.proof) return `${programOf(data.proof.before.source)}: before and after – Deadweight`
  return 'Deadweight'
}
