/** Lines of JSON as they come from a file or a socket: each parse makes new objects and new text. */
export function* lines(count, make) {
  for (let index = 0; index < count; index++) yield JSON.stringify(make(index))
}
