import { serve } from '../lib/service.js'
import { jobLines, Job, Queue } from './input.js'

serve((random, count) => {
  const queue = new Queue()
  for (const line of jobLines(random, count)) {
    const { id, command, tries, load, startedAt, endedAt } = JSON.parse(line)
    queue.jobs.push(new Job(id, command, tries, load, startedAt, endedAt))
  }
  return queue
})
