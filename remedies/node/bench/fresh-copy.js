'use strict'

const { dirname } = require('node:path')

/**
 * A module, with all files beside and below it, loaded once more: V8 learns about the
 * code of each copy alone, as it does in a program that uses it in one way only.
 *
 * @param {string} path of the module's main file
 */
function freshCopy(path) {
  const folder = dirname(path)
  const loaded = Object.keys(require.cache).filter(file => file.startsWith(folder))
  const kept = loaded.map(file => [file, require.cache[file]])
  for (const file of loaded) delete require.cache[file]
  const copy = require(path)
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file]
  for (const [file, module] of kept) require.cache[file] = module
  return copy
}

module.exports = { freshCopy }
