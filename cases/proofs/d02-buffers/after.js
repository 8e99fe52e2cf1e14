import { createHash } from 'node:crypto'
import { serve } from '../lib/service.js'
import { attachments, Mail, Mailbox } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const mailbox = new Mailbox()
  for (const { subject, attachment } of attachments(random, count)) {
    const hash = createHash('sha256').update(attachment).digest('hex')
    if (!seen.has(hash)) seen.set(hash, Buffer.from(attachment))
    mailbox.mails.push(new Mail(subject, seen.get(hash)))
  }
  return mailbox
})
