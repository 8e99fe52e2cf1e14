import { serve } from '../lib/service.js'
import { attachments, Mail, Mailbox, received } from './input.js'

serve((random, count) => {
  const seen = new Map()
  const mailbox = new Mailbox()
  for (const { subject, attachment } of attachments(random, count)) {
    const content = attachment.toString('latin1')
    if (!seen.has(content)) seen.set(content, received(attachment))
    mailbox.mails.push(new Mail(subject, seen.get(content)))
  }
  return mailbox
})
