export class Requests {
  list = []
}

export class Request {
  constructor(id, from) {
    this.id = id
    this.from = from
  }
}

export const address = (id) => `https://host${id % 20}.example.org/page?n=${id % 3}`
