import { serve } from '../lib/service.js'
import { pages, Crawl } from './input.js'

serve((random, count) => {
  const crawl = new Crawl()
  for (const page of pages(random, count)) {
    crawl.titles.push(page.slice(page.indexOf('<title>') + 7, page.indexOf('</title>')))
  }
  return crawl
})
