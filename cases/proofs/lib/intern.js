/** Gives the first copy of each text. Lives as long as the loading does. */
export function interner() {
  const seen = new Map()
  return text => {
    const first = seen.get(text)
    if (first !== undefined) return first
    seen.set(text, text)
    return text
  }
}
