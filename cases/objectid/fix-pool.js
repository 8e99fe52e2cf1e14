// One fix: ids share pools of 1,000.

import { PooledObjectId } from '@deadweight/remedies'
import * as bson from 'bson'
import { run } from './lib/service.js'

await run({ bson, Id: PooledObjectId })
