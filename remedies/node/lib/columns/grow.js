'use strict'

/**
 * A typed array of another length (and another type, if given) with the same values,
 * as far as they reach.
 */
function grown(values, length, TypedArray = values.constructor) {
  const result = new TypedArray(length)
  result.set(length < values.length ? values.subarray(0, length) : values)
  return result
}

module.exports = { grown }
