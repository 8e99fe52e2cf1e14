import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { kept, keep } from './kept'
import { SEARCH } from './findings'
import { copyLink } from './open'

const KEYS: [string, string][] = [
  ['/', 'search the findings'],
  ['j, k', 'next and previous finding'],
  ['Enter', 'open or close a finding'],
  ['c', 'copy the link to the finding that has the focus'],
  ['Esc', 'leave the search, and clear it'],
  ['← ↑ → ↓', 'walk over the map, once it has the focus'],
  ['+, −', 'zoom into the group of a tile, and out again'],
  ['?', 'this list'],
]

/** The keys, what they do, and a switch for those who dictate or type by accident. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [said, setSaid] = useState('')
  const [on, setOn] = useState(() => kept('keys') !== 'off')
  // Before the next key can come, which an effect after the paint would not be.
  useLayoutEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.current?.open || isTyping(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        document.getElementById(SEARCH)?.focus()
      } else if (event.key === '?') {
        dialog.current?.showModal()
      } else if (event.key === 'j' || event.key === 'k') {
        step(event.key === 'j' ? 1 : -1)
      } else if (event.key === 'c') {
        const fingerprint = document.activeElement?.getAttribute('data-finding')
        if (fingerprint) void copyLink({ fingerprint }).then((copied) => setSaid(copied ? 'Link copied' : 'The browser does not let the page copy'))
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on])
  useLayoutEffect(() => {
    if (said === '') return
    const gone = setTimeout(() => setSaid(''), 2500)
    return () => clearTimeout(gone)
  }, [said])
  return (
    <>
      <span class={said ? 'toast' : 'toast unseen'} role="status">
        {said}
      </span>
      <button type="button" class="tool" onClick={() => dialog.current?.showModal()}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <rect x="1" y="3.5" width="14" height="9" rx="1.6" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M4 6.6h.01M7 6.6h.01M10 6.6h.01M12.6 6.6h.01M5 9.6h6" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
        </svg>
        Keys
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => {
              setOn(event.currentTarget.checked)
              keep('keys', event.currentTarget.checked ? 'on' : 'off')
            }}
          />
          Single keys (/ j k c ?) are on
        </label>
        <form method="dialog">
          <button class="plain">Close</button>
        </form>
      </dialog>
    </>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input, select, textarea') || target.isContentEditable)
}

/** Moves the focus to the next finding, from the one that has it or the first. */
function step(by: number) {
  const all = [...document.querySelectorAll<HTMLElement>('[data-finding]')]
  const at = all.findIndex((one) => one === document.activeElement)
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
