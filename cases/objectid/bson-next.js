// The fix as bson itself makes it: from 7.3.2 on, its ids are four integers.

import * as bson from 'bson-next'
import { run } from './lib/service.js'

await run({ bson, Id: bson.ObjectId })
