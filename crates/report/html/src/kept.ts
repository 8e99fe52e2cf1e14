// What a reader chose, kept by the browser where it allows a page to: one that came from a file often may not.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`deadweight.${name}`)
  } catch {
    return null
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`deadweight.${name}`, value)
  } catch {
    // Then it holds until the page is closed.
  }
}
