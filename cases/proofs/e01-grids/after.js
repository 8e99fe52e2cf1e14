import { serve } from '../lib/service.js'
import { layers, Atlas } from './input.js'

/** Cells in the order of their place: place and height beside each other. */
function sparse(cells) {
  const heights = new Map()
  for (const { cell, height } of cells) heights.set(cell, height)
  const sorted = [...heights].sort(([a], [b]) => a - b)
  return Float64Array.from(sorted.flat())
}

serve((random, count) => {
  const atlas = new Atlas()
  for (const cells of layers(random, count)) atlas.layers.push(sparse(cells))
  return atlas
})
