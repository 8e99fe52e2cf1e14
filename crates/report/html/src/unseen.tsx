import type { Unseen } from './data'
import { bytes } from './figures'
import { harmless } from './text'

const OF = {
  resident: (whole: string) => `the ${whole} resident at the capture`,
  resident_peak: (whole: string) => `the ${whole} that the process had resident at its highest`,
  held_peak: (whole: string) => `the ${whole} that the program held at its highest`,
  run: (whole: string) => `the ${whole} that a process of this run had resident at its highest`,
}

/** What the dump does not show, before what is said of the rest. */
export function NotSeen({ unseen }: { unseen: Unseen }) {
  const { of, whole, shown, base, places } = unseen
  const missing = Math.max(0, whole - shown - base)
  return (
    <div class="banner" role="note">
      <b>Not seen.</b> {bytes(missing)} of {OF[of](bytes(whole))} are not in this dump, which shows {bytes(shown)}
      {base > 0 && `; ${bytes(base)} are the runtime’s own`}.
      <ul>
        {places.map(({ what, bytes: there, how }) => (
          <li key={what}>
            {harmless(what)}
            {there !== null && `, ${bytes(there)}`}
            {how !== '' && (
              <>
                {': '}
                <span class="mono">{harmless(how)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
