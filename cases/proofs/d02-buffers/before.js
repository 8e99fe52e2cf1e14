import { serve } from '../lib/service.js'
import { attachments, Mail, Mailbox, received } from './input.js'

serve((random, count) => {
  const mailbox = new Mailbox()
  for (const { subject, attachment } of attachments(random, count)) {
    mailbox.mails.push(new Mail(subject, received(attachment)))
  }
  return mailbox
})
