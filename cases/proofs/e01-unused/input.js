export class Edges {
  list = []
}
