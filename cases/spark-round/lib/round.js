import { countResults, summariseMetrics } from './statistics.js'

/** All that is known of one round, until the next one replaces it. */
export class Round {
  /**
   * @param {object} options
   * @param {Function} options.Summary how percentiles are found
   * @param {object} options.shape which groups there are, and their histograms
   * @param {Iterable<object> & {push: Function}} [options.measurements] where measurements are kept
   */
  constructor({ Summary, shape, measurements = [] }) {
    this.measurements = measurements
    this.rejected = {}
    this.summaries = null
    this.Summary = Summary
    this.shape = shape
  }

  add(measurement) {
    this.measurements.push(measurement)
  }

  /** Counts a record that is not well formed by the field that is to blame. */
  reject(field) {
    this.rejected[field] = (this.rejected[field] ?? 0) + 1
  }

  close() {
    this.summaries = summariseMetrics(this.measurements, this.Summary, this.shape)
  }

  report() {
    return {
      measurements: this.measurements.length,
      rejected: this.rejected,
      ...countResults(this.measurements),
      ...this.summaries
    }
  }
}
