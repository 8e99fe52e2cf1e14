import type { Finding } from './data'

/** Asks the list that has the finding to open it. */
export const OPEN = 'deadweight-open'

/** What to open: by its name, and by its rank where several have one name. */
export interface Opened {
  fingerprint: string
  rank?: number
}

const MARK = '#finding='

/** The address of a finding inside of the page. */
export function linkTo(finding: Pick<Finding, 'fingerprint'>): string {
  return MARK + encodeURIComponent(finding.fingerprint)
}

/** Opens a finding, and makes the page's address that of it. */
export function openFinding(event: Event | null, opened: Opened): void {
  event?.preventDefault()
  address(linkTo(opened))
  document.dispatchEvent(new CustomEvent<Opened>(OPEN, { detail: opened }))
}

/** Opens what the page's address names. */
export function openAddressed(): void {
  const { hash } = location
  if (!hash.startsWith(MARK)) return
  try {
    openFinding(null, { fingerprint: decodeURIComponent(hash.slice(MARK.length)) })
  } catch {
    // An address that somebody cut names nothing.
  }
}

/** Makes it the page's address without a step in the history; a page in a frame may not. */
export function address(hash: string): void {
  try {
    history.replaceState(null, '', hash)
  } catch {
    // Then the link can still be copied.
  }
}

/** Copies the address of a finding. Whether that went well. */
export async function copyLink(finding: Pick<Finding, 'fingerprint'>): Promise<boolean> {
  const link = new URL(linkTo(finding), location.href).href
  try {
    await navigator.clipboard.writeText(link)
    return true
  } catch {
    return false
  }
}
