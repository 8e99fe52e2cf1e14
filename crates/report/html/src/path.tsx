import type { Step } from './data'
import { count } from './figures'
import { harmless } from './text'

/** How one of a finding's objects is reached from a root: a step an item. */
export function Path({ path }: { path: Step[] }) {
  return (
    <div class="path">
      <h3>How one of them is reached</h3>
      <ol aria-label="from a root to the object">
        {path.map((step, index) => (
          <li key={index}>
            {!!step.skipped && <span class="skipped">… {count(step.skipped)} more …</span>}
            {step.via && (
              <>
                <bdi class="via">{harmless(step.via)}</bdi>
                <span aria-hidden="true">: </span>
              </>
            )}
            <bdi class="mono">{harmless(step.object)}</bdi>
          </li>
        ))}
      </ol>
    </div>
  )
}
