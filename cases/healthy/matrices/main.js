import { serve } from '../lib/service.js'

class Matrix {
  constructor(side) {
    this.side = side
    this.cells = new Float64Array(side * side)
  }

  static random(random, side) {
    const matrix = new Matrix(side)
    for (let at = 0; at < matrix.cells.length; at++) matrix.cells[at] = random.unit() - 0.5
    return matrix
  }

  times(other) {
    const { side } = this
    const product = new Matrix(side)
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        let sum = 0
        for (let at = 0; at < side; at++) sum += this.cells[row * side + at] * other.cells[at * side + column]
        product.cells[row * side + column] = sum
      }
    }
    return product
  }
}

serve((random, count) => {
  const a = Matrix.random(random, count)
  const b = Matrix.random(random, count)
  return { a, b, product: a.times(b) }
})
