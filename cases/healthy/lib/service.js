// What every proof has in common: a service that is alive at exit and holds what was loaded.

import { Random } from './random.js'

class Service {
  #stopped = false
  data = null

  start(data) {
    this.data = data
  }

  stop() {
    this.#stopped = true
  }
}

const service = new Service()
process.on('exit', () => service.stop())

/**
 * Loads the data and holds it until the end. The number of items is the first argument of the program; it is the seed
 * too, so that `before` and `after` see the same input, and each size sees another mix.
 *
 * @param {(random: Random, count: number) => object} load
 */
export function serve(load) {
  const count = Number(process.argv[2])
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('usage: node PROGRAM COUNT')
  service.start(load(new Random(count), count))
}
