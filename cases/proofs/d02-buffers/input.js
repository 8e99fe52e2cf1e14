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
