// One fix: the ids of documents that were read share pools of 1,000.

import { compactIds, PooledObjectId } from '@deadweight/remedies'
import * as bson from 'bson'
import { run } from './lib/reader.js'

await run({ bson, keep: document => compactIds(document, PooledObjectId) })
