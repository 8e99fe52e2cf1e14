import type { Finding } from './data'
import { harmless } from './text'

/** Where a finding is: its holder, else the site of its allocations. */
export function placeOf(finding: Pick<Finding, 'holder' | 'site'>): string {
  return harmless(finding.holder || finding.site || '(no name)')
}
