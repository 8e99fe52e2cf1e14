import { serve } from '../lib/service.js'
import { SIDE } from './input.js'
import { layers, Atlas } from './input.js'

serve((random, count) => {
  const atlas = new Atlas()
  for (const cells of layers(random, count)) {
    const grid = new Float64Array(SIDE * SIDE)
    for (const { cell, height } of cells) grid[cell] = height
    atlas.layers.push(grid)
  }
  return atlas
})
