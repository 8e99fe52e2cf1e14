// Builds one file that needs nothing else: script and style stand in the page, and its policy names them by hash, so
// that nothing a dump may hold can ever run.

import { createHash } from 'node:crypto'
import { defineConfig } from 'vite'

/** The hash of a text as a content security policy names it. */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Puts script and style into the page. */
function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle)
      const page = files.find((file) => file.fileName === 'index.html')
      const script = files.find((file) => file.type === 'chunk')
      const style = files.find((file) => file.fileName.endsWith('.css'))
      if (files.length !== 3 || !page || !script || !style) {
        throw new Error(`one page, one script and one style were expected, not ${files.map((file) => file.fileName)}`)
      }
      // Neither may end its own element.
      const code = script.code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
      const css = String(style.source).trim()
      if (/<\/style/i.test(css)) throw new Error('the style would end its element')
      const policy = [
        "default-src 'none'",
        `script-src ${hash(code)}`,
        `style-src ${hash(css)}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ')
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<head>', () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</head>', () => `  <style>${css}</style>\n  </head>`)
        .replace('</body>', () => `  <script type="module">${code}</script>\n  </body>`)
      for (const file of files) delete bundle[file.fileName]
      this.emitFile({ type: 'asset', fileName: 'report.html', source: html })
    },
  }
}

export default defineConfig({
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
  },
  plugins: [oneFile()],
})
