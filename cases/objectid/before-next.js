// The last release of bson with a buffer in each id: what bson-next.js is predicted from.

import * as bson from 'bson-7.3.1'
import { run } from './lib/service.js'

await run({ bson, Id: bson.ObjectId })
