// Measuring in turns, so that whatever else the machine does falls on all programs alike.

'use strict'

// What `run` gives of each program, round by round. All must have built the same tree and found every key.
function inTurns (programs, rounds, run) {
  const runs = new Map(programs.map(program => [program, []]))
  for (let round = 0; round < rounds; round++) {
    for (const program of programs) {
      const result = run(program)
      const first = runs.get(programs[0])[0] ?? result
      if (result.root !== first.root || result.measured.found !== result.leaves) throw new Error('programs differ')
      runs.get(program).push(result)
      process.stderr.write('.')
    }
  }
  return runs
}

function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

module.exports = { inTurns, median }
