import { serve } from '../lib/service.js'
import { articleLines, Article, Library } from './input.js'

serve((random, count) => {
  const articles = []
  for (const line of articleLines(random, count)) {
    const { title, tags } = JSON.parse(line)
    articles.push(new Article(title, tags))
  }
  return new Library(articles)
})
