// The statistics of a round. Only iteration over the measurements and access to
// their fields is asked for, so that every way to keep them will do.

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

/** One summary for each metric and group of the shape. */
export function summariseMetrics(measurements, Summary, shape) {
  const summaries = {}
  for (const [metric, valueOf] of Object.entries(METRICS)) {
    summaries[metric] = {}
    for (const [group, belongs] of Object.entries(shape.groups)) {
      summaries[metric][group] = new Summary(values(measurements, belongs, valueOf), shape)
    }
  }
  return summaries
}

function* values(measurements, belongs, valueOf) {
  for (const measurement of measurements) {
    if (measurement.retrievalResult !== 'OK' || !belongs(measurement)) continue
    const value = valueOf(measurement)
    // Those that are not to be believed can end before they start, and a histogram throws at that.
    if (value >= 0) yield value
  }
}

function increment(counts, key) {
  counts[key] = (counts[key] ?? 0) + 1
}

function sorted(counts) {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}
