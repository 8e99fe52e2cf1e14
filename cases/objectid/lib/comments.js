// Comments on films, of the shape of the sample collection `comments` of MongoDB: two
// ids, three texts and a date. Made from the lines of orders, so that one input serves
// both services.

import { Random } from './random.js'

const FIRST_NAMES = ['Ada', 'Bjarne', 'Chiara', 'Dmitri', 'Edsger', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Joan']
const LAST_NAMES = ['Abara', 'Bergstrom', 'Castellanos', 'Dijkhuizen', 'Ekwueme', 'Fitzgerald', 'Grimaldi', 'Haraldsen']
const WORDS = 'the film shows how a small town waits for rain and nobody says what it means until very late'.split(' ')

/** Makes the comments of lines of orders, one after the other. */
export class CommentWriter {
  #random = new Random(0xf11e)

  /**
   * @param {object} record a line of an order
   * @param {(hex: string) => object} idOf
   */
  commentOf(record, idOf) {
    const random = this.#random
    const first = random.pick(FIRST_NAMES)
    const last = random.pick(LAST_NAMES)
    const words = Array.from({ length: 8 + random.below(25) }, () => random.pick(WORDS))
    return {
      _id: idOf(record._id),
      name: `${first} ${last}`,
      email: `${first}_${last}@example.com`.toLowerCase(),
      movie_id: idOf(record.order_id),
      text: words.join(' ') + '.',
      date: new Date(record.placed_at * 1000)
    }
  }
}
