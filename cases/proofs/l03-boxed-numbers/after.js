import { serve } from '../lib/service.js'
import { jobLines, Job, Queue } from './input.js'

serve((random, count) => {
  const queue = new Queue()
  for (const line of jobLines(random, count)) {
    const { id, command, tries, load, startedAt, endedAt } = JSON.parse(line)
    if (queue.base === 0) queue.base = startedAt
    // `| 0`: the difference of two boxed numbers is boxed, even where it would fit a small integer.
    queue.jobs.push(new Job(id, command, tries, load, (startedAt - queue.base) | 0, (endedAt - queue.base) | 0))
  }
  return queue
})
