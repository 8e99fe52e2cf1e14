import { decoded } from '../lib/flat.js'
import { serve } from '../lib/service.js'

class Shape {
  constructor(random) {
    this.name = decoded(random.sentence(random.integer(6, 24)))
    this.east = random.unit() * 100
    this.north = random.unit() * 100
  }
}

class Circle extends Shape {
  constructor(random) {
    super(random)
    this.radius = random.unit() * 10
  }
}

class Box extends Shape {
  constructor(random) {
    super(random)
    this.width = random.unit() * 10
    this.height = random.unit() * 10
  }
}

class Group extends Shape {
  constructor(random, members) {
    super(random)
    this.members = members
  }
}

function group(random, count) {
  if (count <= 8) {
    return new Group(random, random.list(Math.max(1, count), () => (random.chance(0.5) ? new Circle(random) : new Box(random))))
  }
  return new Group(random, random.list(4, () => group(random, Math.floor(count / 4))))
}

serve((random, count) => ({ drawing: group(random, count) }))
