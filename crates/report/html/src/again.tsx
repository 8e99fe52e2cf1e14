import type { Again } from './data'
import { bytes } from './figures'
import { harmless } from './text'

/** What several heaps of the run hold, each for itself. */
export function HeldAgain({ again }: { again: Again }) {
  const { heaps, bytes: all, estimated, shared, places, elsewhere } = again
  return (
    <section aria-labelledby="again-title">
      <h2 id="again-title">Held again</h2>
      <p class="about">
        {heaps} heaps of this run hold the same contents: {estimated && 'about '}
        {bytes(all)} would go if one of them alone held each. No finding counts them.
        {shared !== null && shared > 0 && (
          <> Up to {bytes(shared)} of this may stand in pages that the processes still share and cost nothing.</>
        )}
      </p>
      <ul>
        {places.map((place) => (
          <li key={place.holder + place.holds}>
            {bytes(place.bytes)} in {place.heaps} heaps at <span class="mono">{harmless(place.holder)}</span> (
            {harmless(place.holds)})
          </li>
        ))}
        {elsewhere > 0 && <li>{bytes(elsewhere)} elsewhere</li>}
      </ul>
      <p class="about">
        Keep it in one process that the others ask, or in a cache beside them; load what never changes before the processes are
        forked.
      </p>
    </section>
  )
}
