/** Latencies of each endpoint, in milliseconds up to a minute: most of them are near each other. */
export function* endpoints(random, count) {
  for (let index = 0; index < count; index++) {
    const usual = random.integer(5, 4000)
    yield [`/${random.word()}/${index}`, random.list(random.integer(20, 400), () => usual + random.integer(0, 60))]
  }
}

export const LONGEST = 16384

export class Metrics {
  histograms = new Map()
}
