import { EventEmitter } from 'node:events'
import { serve } from '../lib/service.js'

function subscriber(random) {
  let last = random.unit()
  const weight = random.unit()
  return value => {
    last = last * (1 - weight) + value * weight
    return last
  }
}

serve((random, count) => {
  const hub = new EventEmitter({ captureRejections: false })
  hub.setMaxListeners(0)
  const topics = random.list(Math.ceil(count / 50), index => `topic ${index}`)
  for (let index = 0; index < count; index++) hub.on(topics[index % topics.length], subscriber(random))
  for (const topic of topics) hub.emit(topic, random.unit())
  return { hub }
})
