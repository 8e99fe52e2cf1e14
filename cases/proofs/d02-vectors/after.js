import { serve } from '../lib/service.js'
import { vectors, Index } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const index = new Index()
  for (const [word, vector] of vectors(random, count)) {
    const key = vector.join()
    if (!seen.has(key)) seen.set(key, Float64Array.from(vector))
    index.vectors.set(word, seen.get(key))
  }
  return index
})
