const NAMES = [
  'host', 'accept', 'accept-language', 'accept-encoding', 'content-type', 'content-length', 'user-agent', 'x-request-id',
  'x-forwarded-for', 'if-modified-since', 'cache-control', 'referer', 'authorization', 'traceparent', 'cookie'
]

export function* requests(random, count) {
  const most = random.integer(5, NAMES.length)
  for (let index = 0; index < count; index++) {
    const names = NAMES.filter((_, at) => at < most && random.chance(0.8))
    yield { path: `/${random.word()}/${index}`, headers: names.map(name => [name, random.integer(0, 1e6)]) }
  }
}

export class Request {
  constructor(path, headers) {
    this.path = path
    this.headers = headers
  }
}

export class Log {
  requests = []
}
