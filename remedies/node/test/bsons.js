'use strict'

const PACKAGES = { '5.5.1': 'bson-5', '6.10.4': 'bson', '7.3.1': 'bson-7.3.1', '7.3.4': 'bson-next' }

/** The releases of bson that ids are tested with, by version. Left out are those that need a newer Node.js. */
function loadBsons() {
  const bsons = {}
  for (const [version, name] of Object.entries(PACKAGES)) {
    try {
      bsons[version] = require(name)
    } catch (error) {
      if (!version.startsWith('7')) throw error
    }
  }
  return bsons
}

module.exports = { BSONS: loadBsons() }
