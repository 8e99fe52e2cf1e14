'use strict'

// The hex texts of ids, kept beside them once they were asked for, as bson's
// `cacheHexString` does. One switch for both classes. An entry of the table costs more
// than a packed id does.

const cache = { isOn: false }

/** @type {WeakMap<object, string>} */
const texts = new WeakMap()

/**
 * @param {object} id
 * @param {() => string} write makes the text if there is none yet
 */
function cachedText(id, write) {
  let text = texts.get(id)
  if (text === undefined) {
    text = write.call(id)
    texts.set(id, text)
  }
  return text
}

/** What an id's text was is no longer so. */
function forgetText(id) {
  texts.delete(id)
}

module.exports = { cache, cachedText, forgetText }
