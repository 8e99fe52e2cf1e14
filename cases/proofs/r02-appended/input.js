import { decoded } from '../lib/flat.js'

/** The lines of each page of a report. */
export function* parts(random, count) {
  const most = random.integer(20, 60)
  for (let index = 0; index < count; index++) {
    yield random.list(random.integer(10, most), () => decoded(random.sentence(random.integer(4, 40))))
  }
}

export class Report {
  pages = []
}
