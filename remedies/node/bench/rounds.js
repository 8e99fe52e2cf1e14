'use strict'

// Several functions in one run, in turns, so that what disturbs one disturbs the others
// too. The first rounds warm up; the median of the rest counts. Garbage is collected when
// V8 sees fit: a forced collection also throws away compiled code, which would then be
// measured instead.

const WARM_UP = 20

/**
 * @param {Record<string, () => unknown>} functions
 * @param {number} operations that one call of a function does
 * @param {number} rounds
 * @returns {Record<string, number>} nanoseconds for an operation, the median
 */
function measureInTurns(functions, operations, rounds) {
  const names = Object.keys(functions)
  const times = Object.fromEntries(names.map(name => [name, []]))
  for (let round = -WARM_UP; round < rounds; round++) {
    // Each goes first in its turn: the first of a round may pay for the last's garbage.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + WARM_UP) % names.length]
      const start = process.hrtime.bigint()
      functions[name]()
      const ns = Number(process.hrtime.bigint() - start) / operations
      if (round >= 0) times[name].push(ns)
    }
  }
  return Object.fromEntries(names.map(name => [name, median(times[name])]))
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

module.exports = { measureInTurns }
