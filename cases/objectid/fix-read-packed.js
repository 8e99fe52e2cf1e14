// One fix: the ids of documents that were read are three integers.

import { compactIds, PackedObjectId } from '@deadweight/remedies'
import * as bson from 'bson'
import { run } from './lib/reader.js'

await run({ bson, keep: document => compactIds(document, PackedObjectId) })
