import { useEffect, useMemo, useState } from 'preact/hooks'

import type { Finding } from './data'

/** Typing goes on while the list waits this long, in milliseconds. */
const PAUSE = 80

/** Those whose text has every word of the query. */
export function useDeferredSearch<Ranked extends { finding: Finding }>(ranked: Ranked[], query: string): Ranked[] {
  const [asked, setAsked] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query), query === '' ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }, [query])
  // Made once, when the first search asks for it.
  const texts = useMemo(() => new WeakMap<Finding, string>(), [ranked])
  return useMemo(() => {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return ranked
    return ranked.filter(({ finding }) => {
      let text = texts.get(finding)
      if (text === undefined) {
        text = textOf(finding)
        texts.set(finding, text)
      }
      return words.every((word) => text.includes(word))
    })
  }, [ranked, asked, texts])
}

function textOf(finding: Finding): string {
  const { rule, holder, site, title, fix, assumes, fingerprint, evidence } = finding
  return [rule, holder, site, title, fix, assumes, fingerprint, JSON.stringify(evidence)].join('\n').toLowerCase()
}
