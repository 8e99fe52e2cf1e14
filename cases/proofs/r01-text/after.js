import { serve } from '../lib/service.js'
import { pages, Crawl } from './input.js'

serve((random, count) => {
  const crawl = new Crawl()
  for (const page of pages(random, count)) {
    const title = page.slice(page.indexOf('<title>') + 7, page.indexOf('</title>'))
    crawl.titles.push(Buffer.from(title).toString())
  }
  return crawl
})
