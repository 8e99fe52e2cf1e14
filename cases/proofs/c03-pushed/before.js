import { serve } from '../lib/service.js'
import { threads, Thread, Forum } from './input.js'

serve((random, count) => {
  const forum = new Forum()
  for (const { title, posts } of threads(random, count)) {
    const thread = new Thread(title, [])
    for (const post of posts) thread.posts.push(post)
    forum.threads.push(thread)
  }
  return forum
})
