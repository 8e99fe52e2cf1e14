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
          <li key={index} class={index === 0 ? 'root' : index === path.length - 1 ? 'end' : undefined}>
            {!!step.skipped && <span class="skipped">{count(step.skipped)} more objects between</span>}
            {index > 0 && (
              <span class="edge">
                <bdi class="via mono">{harmless(step.via)}</bdi> <span aria-hidden="true">↓</span>
                <span class="unseen">refers to </span>
              </span>
            )}
            <bdi class="object mono">{harmless(step.object)}</bdi>
          </li>
        ))}
      </ol>
    </div>
  )
}
