import { createHash } from 'node:crypto'
import { reportMemory } from './memory.js'
import { readRecords } from './records.js'

/** Holds the lines of all orders, as what the service answers questions from. */
class OrderService {
  lines = []

  async load(records, Id) {
    for await (const record of records) {
      this.lines.push({
        _id: new Id(record._id),
        order_id: new Id(record.order_id),
        invoice_id: new Id(record.invoice_id),
        status: record.status,
        quantity: record.quantity,
        cents: record.cents,
        placed_at: record.placed_at
      })
    }
  }

  /** @param {object} bson the package that writes documents for the wire */
  report(bson) {
    const statuses = {}
    const documents = createHash('sha256')
    let cents = 0
    for (const line of this.lines) {
      statuses[line.status] = (statuses[line.status] ?? 0) + 1
      cents += line.quantity * line.cents
      documents.update(bson.serialize(line))
    }
    return {
      lines: this.lines.length,
      cents,
      statuses,
      first: this.lines[0],
      last: this.lines.at(-1),
      lastOrderedAt: this.lines.at(-1)?.order_id.getTimestamp(),
      documents: documents.digest('hex')
    }
  }

  stop() {
    if (process.env.OBJECTID_MEMORY === '1') reportMemory()
  }
}

const service = new OrderService()
process.on('exit', () => service.stop())

/**
 * Loads the documents named on the command line (or from stdin) and prints a report.
 *
 * @param {object} variant
 * @param {object} variant.bson the package that writes documents for the wire
 * @param {new (hex: string) => object} variant.Id what ids are kept as
 */
export async function run({ bson, Id }) {
  await service.load(readRecords(process.argv[2]), Id)
  console.log(JSON.stringify(service.report(bson), null, 2))
}
