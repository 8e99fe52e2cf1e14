import { decoded } from '../lib/flat.js'

/** Threads with their posts, most of them short. */
export function* threads(random, count) {
  const most = random.integer(6, 30)
  for (let index = 0; index < count; index++) {
    const posts = random.list(random.integer(1, random.integer(1, most)), () => decoded(random.sentence(random.integer(3, 20))))
    yield { title: random.word(), posts }
  }
}

export class Thread {
  constructor(title, posts) {
    this.title = title
    this.posts = posts
  }
}

export class Forum {
  threads = []
}
