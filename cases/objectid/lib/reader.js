import { createHash } from 'node:crypto'
import { CommentWriter } from './comments.js'
import { reportMemory } from './memory.js'
import { readRecords } from './records.js'

const DOCUMENTS_PER_REPLY = 1000
// More than the longest documents of a reply take. Not of Node's pool, as little that comes from a socket is.
const REPLY_BYTES = DOCUMENTS_PER_REPLY * 1000

/** Holds all comments, as they were read from the database. */
class CommentService {
  comments = []

  /** @param {(document: object) => object} keep what is kept of a document that was read */
  async load(records, bson, keep) {
    for await (const documents of repliesOf(records, bson)) {
      for (const bytes of documents) this.comments.push(keep(bson.deserialize(bytes)))
    }
  }

  report(bson) {
    const hash = createHash('sha256')
    const names = new Set()
    for (const comment of this.comments) {
      hash.update(bson.serialize(comment))
      names.add(comment.name)
    }
    return {
      comments: this.comments.length,
      names: names.size,
      first: this.comments[0],
      last: this.comments.at(-1),
      lastWrittenAt: this.comments.at(-1)?._id.getTimestamp(),
      documents: hash.digest('hex')
    }
  }

  stop() {
    if (process.env.OBJECTID_MEMORY === '1') reportMemory()
  }
}

/** The comments as a server sends them: lists of the bytes of documents, which lie in one buffer. */
async function* repliesOf(records, bson) {
  const reply = Buffer.allocUnsafeSlow(REPLY_BYTES)
  const writer = new CommentWriter()
  // The server's ids take nothing of Node's pool either, or slots of it would be lost
  // between those of the ids that are read.
  const idOf = hex => {
    const bytes = Buffer.allocUnsafeSlow(12)
    bytes.write(hex, 'hex')
    return new bson.ObjectId(bytes)
  }
  let documents = []
  let end = 0
  for await (const record of records) {
    const start = end
    end = bson.serializeWithBufferAndIndex(writer.commentOf(record, idOf), reply, { index: start }) + 1
    documents.push(reply.subarray(start, end))
    if (documents.length === DOCUMENTS_PER_REPLY) {
      yield documents
      documents = []
      end = 0
    }
  }
  yield documents
}

const service = new CommentService()
process.on('exit', () => service.stop())

/**
 * Reads the documents named on the command line (or from stdin) through BSON, and prints a report.
 *
 * @param {object} variant
 * @param {object} variant.bson the package that reads and writes documents
 * @param {(document: object) => object} [variant.keep] what is kept of a document; all of it, if not given
 */
export async function run({ bson, keep = document => document }) {
  await service.load(readRecords(process.argv[2]), bson, keep)
  console.log(JSON.stringify(service.report(bson), null, 2))
}
