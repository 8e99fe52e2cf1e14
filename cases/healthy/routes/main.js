import { serve } from '../lib/service.js'

class Layer {
  constructor(path, handle) {
    this.path = path
    this.handle = handle
    this.pattern = new RegExp(`^${path.replace(/:[a-z]+/g, '([^/]+)')}$`)
  }
}

class Router {
  constructor(parent, layers) {
    this.parent = parent
    this.layers = layers
  }

  handle(request) {
    return this.layers.find(layer => layer.pattern.test(request.path))?.handle(request)
  }
}

serve((random, count) => {
  const application = new Router(null, [])
  application.layers = random.list(count / 30, () => {
    const router = new Router(application, [])
    const base = `/${random.word(5)}`
    router.layers = random.list(30, () => {
      const weight = random.unit()
      return new Layer(`${base}/${random.word(4)}/:${random.word(2)}`, request => request.cost * weight)
    })
    return new Layer(base, request => router.handle(request))
  })
  return { application }
})
