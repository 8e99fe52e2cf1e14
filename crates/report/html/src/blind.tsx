import type { Blind } from './data'
import { harmless } from './text'

/** What could not be measured: not zero, but unknown. Rules that lack the same thing share a row. */
export function BlindList({ blinds }: { blinds: Blind[] }) {
  if (blinds.length === 0) return null
  const groups = new Map<string, { rules: string[]; why: string; how: string }>()
  for (const { rule, why, how } of blinds) {
    const key = JSON.stringify([why, how])
    const group = groups.get(key)
    if (group) group.rules.push(rule)
    else groups.set(key, { rules: [rule], why, how })
  }
  return (
    <section aria-labelledby="blind-title" class="blind">
      <h2 id="blind-title">Could not be measured</h2>
      <p class="about">Not zero, but unknown: what the dump lacks, and how to get one that tells.</p>
      <ul>
        {[...groups.values()].map((group) => (
          <li key={group.why + group.how}>
            <span class="codes">
              {group.rules.map((rule) => (
                <span class="code" key={rule}>
                  {harmless(rule)}
                </span>
              ))}
            </span>
            <span>
              {harmless(group.why)}
              {group.how && (
                <span class="how">
                  <b>How: </b>
                  {harmless(group.how)}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
