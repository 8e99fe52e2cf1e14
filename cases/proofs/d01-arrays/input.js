import { lines } from '../lib/lines.js'

export function articleLines(random, count) {
  const tags = random.list(random.integer(100, 3000), () => random.sentence(random.integer(12, 24)))
  const most = random.integer(3, 9)
  return lines(count, () => ({
    title: random.sentence(random.integer(20, 70)),
    tags: random.list(random.integer(1, most), () => random.favour(tags))
  }))
}

export class Article {
  constructor(title, tags) {
    this.title = title
    this.tags = tags
  }
}

export class Library {
  articles

  constructor(articles) {
    this.articles = articles
  }
}
