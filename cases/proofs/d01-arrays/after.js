import { interner } from '../lib/intern.js'
import { serve } from '../lib/service.js'
import { articleLines, Article, Library } from './input.js'

serve((random, count) => {
  const intern = interner()
  const articles = []
  for (const line of articleLines(random, count)) {
    const { title, tags } = JSON.parse(line)
    articles.push(new Article(title, tags.map(intern)))
  }
  return new Library(articles)
})
