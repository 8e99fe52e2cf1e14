// The fix as bson itself makes it, for documents that were read.

import * as bson from 'bson-next'
import { run } from './lib/reader.js'

await run({ bson })
