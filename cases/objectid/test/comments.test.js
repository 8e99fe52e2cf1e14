import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import * as bson from 'bson'
import { CommentWriter } from '../lib/comments.js'
import { generateDocuments } from '../lib/generator.js'

// As for the lines: figures are compared, so comments must never change unnoticed.
const SHA256_OF_1000 = '160464b9356c99516bd84850eddc21db26c63830622d07e9de17ccdb6e6d9177'

function commentsOf(count) {
  const writer = new CommentWriter()
  return Array.from(generateDocuments(count), record => writer.commentOf(record, hex => new bson.ObjectId(hex)))
}

test('the same lines give the same comments', () => {
  const hash = createHash('sha256')
  for (const comment of commentsOf(1000)) hash.update(bson.serialize(comment))
  assert.equal(hash.digest('hex'), SHA256_OF_1000)
})

test('a comment has two ids, three texts and a date, and fits a reply a thousand times', () => {
  for (const comment of commentsOf(5000)) {
    assert.deepEqual(Object.keys(comment), ['_id', 'name', 'email', 'movie_id', 'text', 'date'])
    assert.match(comment.email, /^[a-z]+_[a-z]+@example\.com$/)
    assert.ok(comment.date instanceof Date && comment.text.endsWith('.'))
    assert.ok(bson.calculateObjectSize(comment) < 1000)
  }
})
