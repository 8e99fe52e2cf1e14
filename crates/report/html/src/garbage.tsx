import type { Weighing } from './data'
import { bytes, counted } from './figures'

/** Garbage of less than a hundredth of the heap is not worth a sentence. */
const SHARE = 100

/** What nothing held any more at the capture: the process has it all the same. */
export function Garbage({ weighing: { garbage, held, external } }: { weighing: Weighing }) {
  if (!garbage) return null
  const all = garbage.bytes + garbage.external
  if (all === 0 || all * SHARE < held.bytes + external.bytes) return null
  return (
    <p class="process">
      Garbage: nothing held {bytes(garbage.bytes)} any more at the capture ({counted(garbage.objects, 'object')}
      {garbage.external > 0 && `, ${bytes(garbage.external)} outside the heap`}), and no collection had taken it yet. It is
      in no other figure.
    </p>
  )
}
