// Records of three widths, as a carrier's interface sends them. Which one a run gets depends on its seed.

import { lines } from './lines.js'

const STATES = ['created', 'packed', 'in transit', 'delivered', 'returned']

function parcel(random, id) {
  return {
    id,
    barcode: random.hex(20),
    weight: random.integer(1, 31000) / 100,
    pieces: random.integer(1, 9),
    state: random.pick(STATES),
    fragile: random.chance(0.1),
    session: random.hex(16)
  }
}

function shipment(random, id) {
  return {
    ...parcel(random, id),
    sender: random.sentence(random.integer(8, 30)),
    receiver: random.sentence(random.integer(8, 30)),
    price: random.integer(100, 99999) / 100,
    insured: random.chance(0.3) ? random.integer(10, 5000) : null,
    route: random.integer(1, 4000),
    bookedAt: random.moment()
  }
}

function consignment(random, id) {
  return {
    ...shipment(random, id),
    length: random.integer(5, 200),
    width: random.integer(5, 200),
    height: random.integer(5, 200),
    customs: random.chance(0.2) ? random.sentence(random.integer(12, 40)) : null,
    incoterm: random.pick(['EXW', 'FCA', 'DAP', 'DDP']),
    duty: random.integer(0, 20) / 4,
    taxed: random.chance(0.8),
    pallet: random.integer(1, 60000),
    depot: random.sentence(6)
  }
}

class Parcel {
  constructor(record, receivedAt) {
    this.id = record.id
    this.barcode = record.barcode
    this.weight = record.weight
    this.pieces = record.pieces
    this.state = record.state
    this.fragile = record.fragile
    if (record.session !== undefined) this.session = record.session
    if (receivedAt !== undefined) this.receivedAt = receivedAt
  }
}

class Shipment {
  constructor(record, receivedAt) {
    this.id = record.id
    this.barcode = record.barcode
    this.weight = record.weight
    this.pieces = record.pieces
    this.state = record.state
    this.fragile = record.fragile
    this.sender = record.sender
    this.receiver = record.receiver
    this.price = record.price
    this.insured = record.insured
    this.route = record.route
    this.bookedAt = record.bookedAt
    if (record.session !== undefined) this.session = record.session
    if (receivedAt !== undefined) this.receivedAt = receivedAt
  }
}

class Consignment {
  constructor(record, receivedAt) {
    this.id = record.id
    this.barcode = record.barcode
    this.weight = record.weight
    this.pieces = record.pieces
    this.state = record.state
    this.fragile = record.fragile
    this.sender = record.sender
    this.receiver = record.receiver
    this.price = record.price
    this.insured = record.insured
    this.route = record.route
    this.bookedAt = record.bookedAt
    this.length = record.length
    this.width = record.width
    this.height = record.height
    this.customs = record.customs
    this.incoterm = record.incoterm
    this.duty = record.duty
    this.taxed = record.taxed
    this.pallet = record.pallet
    this.depot = record.depot
    if (record.session !== undefined) this.session = record.session
    if (receivedAt !== undefined) this.receivedAt = receivedAt
  }
}

const WIDTHS = [
  { make: parcel, Record: Parcel },
  { make: shipment, Record: Shipment },
  { make: consignment, Record: Consignment }
]

/** The lines of a run, and the class its records would have. `session` is of no use once a record is in. */
export function shipments(random, count) {
  const { make, Record } = random.pick(WIDTHS)
  return { lines: lines(count, id => make(random, id)), Record }
}

export class Shipments {
  all

  constructor(all) {
    this.all = all
  }
}
