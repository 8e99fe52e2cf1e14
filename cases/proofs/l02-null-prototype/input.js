import { decoded } from '../lib/flat.js'

const TYPES = ['text/html', 'text/css', 'image/png', 'application/json']

export function* headersOf(random, count) {
  const hosts = random.list(random.integer(10, 500), () => `${random.word()}.example`)
  const agents = random.list(random.integer(10, 100), () => random.sentence(30))
  for (let index = 0; index < count; index++) {
    const path = decoded(`/${random.word()}/${random.word()}/${index}`)
    yield [path, {
      host: random.favour(hosts),
      type: random.pick(TYPES),
      length: random.integer(0, 200000),
      agent: random.favour(agents),
      status: random.pick([200, 200, 200, 304, 404, 500]),
      cached: random.chance(0.3)
    }]
  }
}

export class Call {
  constructor(path, headers) {
    this.path = path
    this.headers = headers
  }
}

export class Log {
  calls = []
}
