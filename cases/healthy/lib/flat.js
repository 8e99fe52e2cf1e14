/** Text of its own, as decoding bytes from a socket makes it. */
export function decoded(text) {
  return Buffer.from(text).toString()
}
