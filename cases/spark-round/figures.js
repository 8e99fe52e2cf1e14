// Measures what the table of published claims needs beside the rows of the fixes:
//
//   DEADWEIGHT_SCRATCH=/tmp/spark node figures.js > figures.json
//
// Takes about three minutes, 4 GB of memory and 1 GB of disk. SPARK_FIGURES_SCALE=0.02 measures a
// fiftieth of everything, to see whether it works.

import { mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { histogramFigures } from './figures/histograms.js'
import { median, progress, roundOf, run, runVariant } from './figures/programs.js'

const SCALE = Number(process.env.SPARK_FIGURES_SCALE ?? 1)
const SCRATCH = process.env.DEADWEIGHT_SCRATCH ?? join(tmpdir(), 'spark-round-figures')

const FULL = 1_500_000 * SCALE
const STEPS_COUNT = 200_000 * SCALE
const CPU_COUNT = 100_000 * SCALE
const CPU_TURNS = 5

const STEPS = ['spread', 'whole-class', 'class', 'times', 'texts', 'arrays']
const VARIANTS = ['before', 'fix-class', 'fix-intern', 'fix-percentiles', 'fix-ms', 'after']

mkdirSync(SCRATCH, { recursive: true })
const figures = {
  node: process.version,
  records: { full: FULL, steps: STEPS_COUNT, cpu: CPU_COUNT },
  full: fullRound(),
  steps: originalSteps(),
  cpu: cpuOfVariants(),
  interning: interning(),
  histograms: await histogramFigures()
}
console.log(JSON.stringify(figures, null, 2))

/** The whole round before and after all fixes, without a forced collection, as a service runs. */
function fullRound() {
  progress(`a round of ${FULL} records`)
  const input = roundOf(SCRATCH, FULL, 'published')
  const raw = statSync(input).size
  const before = runVariant('before', input, { collect: false })
  const after = runVariant('after', input, { collect: false })
  return {
    raw,
    bytes_a_record: raw / FULL,
    before,
    after,
    rss_change: change(before.peakRss, after.peakRss)
  }
}

/** The original's steps, each on top of the ones before. */
function originalSteps() {
  const input = roundOf(SCRATCH, STEPS_COUNT, 'published')
  const steps = {}
  for (const step of STEPS) {
    progress(`the original's step ${step}`)
    steps[step] = JSON.parse(run(['--expose-gc', 'original/step.js', step, input]).stdout)
    steps[step].errors = steps[step].errors.length
  }
  const between = (from, to) => ({
    heap_used: change(steps[from].collected.heapUsed, steps[to].collected.heapUsed),
    heap_total: change(steps[from].collected.heapTotal, steps[to].collected.heapTotal),
    heap_total_at_end: change(steps[from].atEnd.heapTotal, steps[to].atEnd.heapTotal),
    rss_at_end: change(steps[from].atEnd.rss, steps[to].atEnd.rss)
  })
  return {
    ...steps,
    change: {
      class: between('spread', 'class'),
      class_alone: between('spread', 'whole-class'),
      times: between('class', 'times'),
      texts: between('times', 'texts'),
      arrays: between('texts', 'arrays')
    }
  }
}

/** CPU of the whole round: all variants in turns. */
function cpuOfVariants() {
  const input = roundOf(SCRATCH, CPU_COUNT, 'published')
  const cpu = Object.fromEntries(VARIANTS.map(variant => [variant, []]))
  const memory = {}
  for (let turn = 0; turn < CPU_TURNS; turn++) {
    progress(`CPU time, turn ${turn + 1} of ${CPU_TURNS}`)
    for (const variant of VARIANTS) {
      memory[variant] = runVariant(variant, input)
      cpu[variant].push(memory[variant].cpu)
    }
  }
  const medians = Object.fromEntries(VARIANTS.map(variant => [variant, median(cpu[variant])]))
  return Object.fromEntries(
    VARIANTS.map(variant => [
      variant,
      {
        ms: medians[variant] / 1000,
        change: change(medians.before, medians[variant]),
        heapUsed: memory[variant].heapUsed,
        heapTotal: memory[variant].heapTotal,
        rss: memory[variant].rss
      }
    ])
  )
}

function interning() {
  progress('interning by itself')
  return JSON.parse(run(['--expose-gc', 'figures/interning.js', roundOf(SCRATCH, CPU_COUNT, 'published')]).stdout)
}

/** -0.5 where half is gone. */
function change(from, to) {
  return to / from - 1
}
