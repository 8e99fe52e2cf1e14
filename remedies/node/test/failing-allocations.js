'use strict'

// Makes the construction of typed arrays fail on demand, as it does when there is no memory for
// one. To be required before the code under test, which must see these constructors.

const NAMES = ['Uint8Array', 'Uint16Array', 'Uint32Array', 'Int32Array', 'Float64Array']

let left = Infinity

for (const name of NAMES) {
  const Original = globalThis[name]
  const Failing = new Proxy(Original, {
    construct(target, args, newTarget) {
      // Only those of a given length allocate: views, as `subarray` makes them, do not.
      if (typeof args[0] === 'number' && left-- <= 0) throw new RangeError('Array buffer allocation failed')
      return Reflect.construct(target, args, newTarget)
    }
  })
  globalThis[name] = Failing
  Object.defineProperty(Original.prototype, 'constructor', { value: Failing })
}

/** Runs `act` while all constructions after the first `count` fail. */
function withAllocations(count, act) {
  left = count
  try {
    return act()
  } finally {
    left = Infinity
  }
}

module.exports = { withAllocations }
