// Documents as the last release of bson with a buffer in each id reads them.

import * as bson from 'bson-7.3.1'
import { run } from './lib/reader.js'

await run({ bson })
