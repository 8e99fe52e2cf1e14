'use strict'

// V8's collector, however the tests were started: `node --test` hands no flags to its files.

const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

setFlagsFromString('--expose-gc')

module.exports = { collectGarbage: runInNewContext('gc') }
