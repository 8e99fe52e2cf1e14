import { serve } from '../lib/service.js'
import { threads, Thread, Forum } from './input.js'

serve((random, count) => {
  const forum = new Forum()
  for (const { title, posts } of threads(random, count)) {
    const filled = []
    for (const post of posts) filled.push(post)
    forum.threads.push(new Thread(title, filled.slice()))
  }
  return forum
})
