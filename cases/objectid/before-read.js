// Documents as bson 6 reads them from the database: a buffer for each id.

import * as bson from 'bson'
import { run } from './lib/reader.js'

await run({ bson })
