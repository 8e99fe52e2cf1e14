/** The browser of each session, as its header says. */
export function* agentsOf(random, count) {
  const agents = random.list(random.integer(50, 2000), () => `${random.word()}/${random.integer(1, 140)}.${random.integer(0, 9)} (${random.sentence(random.integer(10, 60))})`)
  for (let index = 0; index < count; index++) yield [random.hex(16) + index, random.favour(agents)]
}

export class Sessions {
  agents

  constructor(agents) {
    this.agents = agents
  }
}
