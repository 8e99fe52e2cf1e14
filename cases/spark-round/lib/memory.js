/**
 * Writes one line of JSON with the process's memory, in bytes, and its CPU time so far, in
 * microseconds, to stderr. Collects garbage first if it can.
 */
export function reportMemory() {
  const { user, system } = process.cpuUsage()
  const beforeGc = process.memoryUsage()
  // One collection finds what is dead, the second frees what the first had to finalise.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage()
  const peakRss = process.resourceUsage().maxRSS * 1024
  const line = {
    heapUsed,
    heapTotal,
    external,
    arrayBuffers,
    rss,
    heapUsedBeforeGc: beforeGc.heapUsed,
    heapTotalBeforeGc: beforeGc.heapTotal,
    externalBeforeGc: beforeGc.external,
    rssBeforeGc: beforeGc.rss,
    peakRss,
    cpu: user + system
  }
  console.error(JSON.stringify(line))
}
