// The statistics of a round. Only iteration over the measurements and access to
// their fields is asked for, so that every way to keep them will do.

const GROUPS = ['all', 'http', 'bitswap', 'graphsync']

const METRICS = {
  ttfb: measurement => measurement.first_byte_at - measurement.start_at,
  duration: measurement => measurement.end_at - measurement.start_at,
  size: measurement => measurement.byte_length
}

export function countResults(measurements) {
  const assessments = {}
  const results = {}
  for (const { fraudAssessment, retrievalResult } of measurements) {
    increment(assessments, fraudAssessment)
    if (fraudAssessment === 'OK') increment(results, retrievalResult)
  }
  const believed = assessments.OK ?? 0
  return {
    successRate: believed === 0 ? null : (results.OK ?? 0) / believed,
    assessments: sorted(assessments),
    results: sorted(results)
  }
}

/** One summary for each metric and protocol, and for each metric over all protocols. */
export function summariseMetrics(measurements, Summary) {
  const summaries = {}
  for (const [metric, valueOf] of Object.entries(METRICS)) {
    summaries[metric] = {}
    for (const group of GROUPS) {
      summaries[metric][group] = new Summary(values(measurements, group, valueOf))
    }
  }
  return summaries
}

function* values(measurements, group, valueOf) {
  for (const measurement of measurements) {
    if (measurement.fraudAssessment !== 'OK' || measurement.retrievalResult !== 'OK') continue
    if (group === 'all' || measurement.protocol === group) yield valueOf(measurement)
  }
}

function increment(counts, key) {
  counts[key] = (counts[key] ?? 0) + 1
}

function sorted(counts) {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}
