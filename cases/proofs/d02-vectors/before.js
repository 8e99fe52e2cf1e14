import { serve } from '../lib/service.js'
import { vectors, Index } from './input.js'

serve((random, count) => {
  const index = new Index()
  for (const [word, vector] of vectors(random, count)) index.vectors.set(word, Float64Array.from(vector))
  return index
})
