// Ids of bson 6: a buffer of 12 bytes for each.

import * as bson from 'bson'
import { run } from './lib/service.js'

await run({ bson, Id: bson.ObjectId })
