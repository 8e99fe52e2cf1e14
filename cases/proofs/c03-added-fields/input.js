import { decoded } from '../lib/flat.js'

export const KINDS = ['corner', 'edge', 'face']

export function* points(random, count) {
  for (let index = 0; index < count; index++) {
    yield { label: decoded(random.word(4)), kind: random.pick(KINDS), owner: decoded(random.word(5)) }
  }
}

export class Scene {
  points = []
}
