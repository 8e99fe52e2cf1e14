// Text from a dump. It is only ever put into text nodes; here what would not be seen, or would turn its neighbours
// round, is written out.

const ACTS =
  /[\p{Cc}\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu

const SHORT: { [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Everything visible, on one line, and with no more marks on one character than a script needs. */
export function harmless(text: string): string {
  return text
    .replace(ACTS, (c) => {
      const code = c.codePointAt(0) ?? 0
      return SHORT[c] ?? (code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
    })
    .replace(/(\p{M}{3})(\p{M}+)/gu, (_, kept: string, more: string) => {
      const first = more.codePointAt(0) ?? 0
      return `${kept}\\u{${first.toString(16)}}…`
    })
}

/** `zero_percent` as words. */
export function words(key: string): string {
  return harmless(key).replaceAll('_', ' ')
}
