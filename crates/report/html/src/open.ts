/** Asks the list of findings to open the one of that rank, from 0. */
export const OPEN = 'deadweight-open'

export function openFinding(event: Event, rank: number): void {
  event.preventDefault()
  document.dispatchEvent(new CustomEvent(OPEN, { detail: rank }))
}
