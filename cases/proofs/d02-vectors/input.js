/** The vector of each word; forms of one stem have the same. */
export function* vectors(random, count) {
  const dimensions = random.integer(100, 300)
  const stems = random.list(Math.ceil(count / random.integer(4, 20)), () => random.list(dimensions, () => random.unit() - 0.5))
  for (let index = 0; index < count; index++) yield [random.word(5) + index, random.pick(stems)]
}

export class Index {
  vectors = new Map()
}
