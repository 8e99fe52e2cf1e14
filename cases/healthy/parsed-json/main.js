import { serve } from '../lib/service.js'

function book(random, id) {
  return {
    id,
    title: random.sentence(random.integer(10, 60)),
    pages: random.integer(40, 1200),
    price: random.integer(500, 9000) / 100,
    isbn: `978${random.integer(1e9, 9e9)}x`,
    lent: random.chance(0.3) ? { to: random.sentence(14), days: random.integer(1, 60) } : null
  }
}

function film(random, id) {
  return { id, title: random.sentence(random.integer(10, 40)), minutes: random.integer(60, 200), rating: random.unit() * 10 }
}

serve((random, count) => {
  const shelf = []
  for (let id = 0; id < count; id++) {
    const made = random.chance(0.6) ? book(random, id) : film(random, id)
    shelf.push(JSON.parse(JSON.stringify(made)))
  }
  return { shelf }
})
