'use strict'

const { Interner } = require('./lib/intern.js')
const { PackedObjectId } = require('./lib/object-id/packed.js')
const { PooledObjectId } = require('./lib/object-id/pooled.js')
const { compactIds } = require('./lib/object-id/compact-ids.js')
const { useBson } = require('./lib/object-id/bson.js')
const { Columns } = require('./lib/columns/columns.js')

module.exports = { Interner, PackedObjectId, PooledObjectId, compactIds, useBson, Columns }
