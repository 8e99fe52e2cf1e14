// Figures as people read them: decimal units, thousands separators, shares in percent. The terminal rounds alike.

/** A figure and its unit stay on one line. */
export const SPACE = '\u00A0'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `1,500,000` */
export function count(number: number): string {
  return grouped.format(number)
}

/** `236.1 MB`: powers of ten; each limit is where the rounded figure would reach the next unit. */
export function bytes(number: number): string {
  const size = Math.abs(number)
  const sign = number < 0 ? '−' : ''
  if (size < 1_000) return `${sign}${size}${SPACE}B`
  if (size < 99_950) return `${sign}${(size / 1e3).toFixed(1)}${SPACE}kB`
  if (size < 999_950_000) return `${sign}${(size / 1e6).toFixed(1)}${SPACE}MB`
  const hundredths = Math.ceil(Math.floor(size / 5e6) / 2)
  return `${sign}${count(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, '0')}${SPACE}GB`
}

/** `26.4 %`; never a false zero, nor a false whole. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '–'
  const percent = (part * 100) / whole
  if (part > 0 && percent < 0.05) return `< 0.1${SPACE}%`
  if (part < whole && percent >= 99.95) return `> 99.9${SPACE}%`
  if (percent > 999.9) return `> 999${SPACE}%`
  return `${percent.toFixed(1)}${SPACE}%`
}

/** `3 records`, `1 record`. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** `0.3 s`, `4 min 10 s`, `3 h 20 min` */
export function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 100) return `${(ms / 1e3).toFixed(1)}${SPACE}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${SPACE}min ${seconds % 60}${SPACE}s`
  return `${count(Math.floor(seconds / 3_600))}${SPACE}h ${Math.floor(seconds / 60) % 60}${SPACE}min`
}

/** Whole number, or with what matters of its fraction. */
export function plain(number: number): string {
  if (Number.isInteger(number)) return count(number)
  return String(Number(number.toPrecision(4)))
}
