// Never run: the same types for those who require.

import remedies = require('@deadweight/remedies')

const id: remedies.PackedObjectId = new remedies.PackedObjectId()
const time: Date = id.getTimestamp()
