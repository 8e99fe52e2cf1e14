// Never run: it must pass the compiler, and what is marked must not.

import { Columns, Interner, PackedObjectId, PooledObjectId, compactIds, useBson } from '@deadweight/remedies'
import * as bson from 'bson'

useBson(bson)
PooledObjectId.poolSize = 10
// @ts-expect-error
PooledObjectId.poolSize = '10'

const packed: PackedObjectId = PackedObjectId.createFromHexString('0'.repeat(24))
const same: boolean = packed.equals(new PooledObjectId(new bson.ObjectId()))
const bytes: Buffer = packed.id
packed.id = new Uint8Array(12)
// @ts-expect-error
new PackedObjectId(true)

PackedObjectId.cacheHexString = false
const read: { _id: bson.ObjectId } = compactIds({ _id: new bson.ObjectId() }, PooledObjectId)
// @ts-expect-error
compactIds({}, bson.ObjectId)

const text: string = new Interner({ maxEntries: 5 }).intern('a')
new Interner().internFields({ a: 'a' }, ['a'])
// @ts-expect-error
new Interner().internFields({ a: 'a' }, ['b'])

const table = new Columns({ id: 'int32', at: 'timestamp', city: { type: 'string', nullable: true } })
table.push({ id: 1, at: new Date(), city: null })
table.push({ id: 1, at: 5 })
// @ts-expect-error
table.push({ id: '1', at: 5 })
for (const row of table) {
  const id: number = row.id
  const at: number = row.at
  // @ts-expect-error
  const city: string = row.city
}
// @ts-expect-error
table.values('none')
// @ts-expect-error
new Columns({ id: 'int' })
