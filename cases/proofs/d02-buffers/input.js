export function* attachments(random, count) {
  const logos = random.list(random.integer(5, 60), () => random.bytes(random.integer(4200, 9000)))
  for (let index = 0; index < count; index++) {
    yield { subject: random.sentence(random.integer(15, 40)), attachment: random.favour(logos) }
  }
}

export class Mail {
  constructor(subject, attachment) {
    this.subject = subject
    this.attachment = attachment
  }
}

export class Mailbox {
  mails = []
}

/** A Buffer with memory of its own, as reading a file makes it. */
export function received(attachment) {
  const buffer = Buffer.allocUnsafeSlow(attachment.length)
  attachment.copy(buffer)
  return buffer
}
