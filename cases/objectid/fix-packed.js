// One fix: ids are three integers.

import { PackedObjectId } from '@deadweight/remedies'
import * as bson from 'bson'
import { run } from './lib/service.js'

await run({ bson, Id: PackedObjectId })
