// The shapes a round comes in. Both are run through the same programs; what differs is the records
// that `generate.js` writes, and how the statistics group them and build their histograms.

const HONEST = measurement => measurement.fraudAssessment === 'OK'

export const SHAPES = {
  /** Long CIDs and attestations, as of 2024; histograms made once, wide enough for every size. */
  own: {
    groups: {
      all: HONEST,
      http: measurement => HONEST(measurement) && measurement.protocol === 'http',
      bitswap: measurement => HONEST(measurement) && measurement.protocol === 'bitswap',
      graphsync: measurement => HONEST(measurement) && measurement.protocol === 'graphsync'
    },
    histogram: {
      bitBucketSize: 64,
      lowestDiscernibleValue: 1,
      // No retrieval can be larger than the largest sector a provider can seal.
      highestTrackableValue: 64 * 1024 ** 3,
      numberOfSignificantValueDigits: 5
    }
  },

  /**
   * The sizes of the published text: about 600 bytes a record, CIDs of 46 characters, no
   * attestations. The statistics are made twice, for the honest measurements and for all, and
   * a histogram starts with the library's own range, which grows with the values.
   *
   * The service of the text had packed counters. Those lose values (`test/percentiles.test.js`), so
   * no two programs could be compared: here they have 64 bits each.
   */
  published: {
    groups: { honest: HONEST, all: () => true },
    histogram: { bitBucketSize: 64, numberOfSignificantValueDigits: 5 }
  }
}

/** The shape that a command line names after `--shape`: `own` if it names none. */
export function shapeOf(args) {
  const at = args.indexOf('--shape')
  const name = at < 0 ? 'own' : args[at + 1]
  if (!Object.hasOwn(SHAPES, name)) throw new TypeError(`there is no shape ${name}, only ${Object.keys(SHAPES).join(', ')}`)
  return { name, ...SHAPES[name] }
}
