// The TypeScript compiler holds a program, its types and what it found, as an editor's language server does.

import { fileURLToPath } from 'node:url'
import ts from 'typescript'

class LanguageService {
  program = null
  diagnostics = null

  load(files) {
    this.program = ts.createProgram(files, { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022 })
    this.diagnostics = ts.getPreEmitDiagnostics(this.program)
  }

  stop() {}
}

const service = new LanguageService()
process.on('exit', () => service.stop())
service.load([fileURLToPath(new URL('source.ts', import.meta.url))])
