/** Writes one line of JSON with the process's memory, in bytes, to stderr. Collects garbage first if it can. */
export function reportMemory() {
  const rssBeforeGc = process.memoryUsage.rss()
  // One collection finds what is dead, the second frees what the first had to finalise.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const peakRss = process.resourceUsage().maxRSS * 1024
  console.error(JSON.stringify({ heapUsed, external, arrayBuffers, rss, rssBeforeGc, peakRss }))
}
