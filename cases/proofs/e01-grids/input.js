export const SIDE = 64

/** Layers of a map: cells with a height, most of them sea. */
export function* layers(random, count) {
  for (let index = 0; index < count; index++) {
    const land = random.integer(1, 300)
    yield random.list(land, () => ({ cell: random.integer(0, SIDE * SIDE - 1), height: random.unit() * 4000 + 1 }))
  }
}

export class Atlas {
  layers = []
}
