/** A small program for the compiler to read; most of what it holds are the types of the language's own library. */

interface Item {
  readonly id: number
  readonly name: string
  readonly tags: ReadonlySet<string>
}

class Inventory {
  readonly #items = new Map<number, Item>()

  add(item: Item): this {
    this.#items.set(item.id, item)
    return this
  }

  tagged(tag: string): Item[] {
    return [...this.#items.values()].filter(item => item.tags.has(tag))
  }

  async load(source: AsyncIterable<Item>): Promise<number> {
    for await (const item of source) this.add(item)
    return this.#items.size
  }
}

export const inventory = new Inventory().add({ id: 1, name: 'lamp', tags: new Set(['light', 'home']) })
export const count: number = inventory.tagged('light').length
