// Holds dead weight of both tiers: equal strings in two fields of one type, and dates.

class Person {
  constructor(at) {
    this.town = `a town whose name is long, ${at % 7}`.split('').join('')
    this.trade = `a trade whose name is long, ${at % 5}`.split('').join('')
    this.since = new Date(1.7e12 + at * 1000)
    this.id = at
  }
}

globalThis.people = Array.from({ length: 5000 }, (_, at) => new Person(at))
