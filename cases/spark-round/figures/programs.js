// Runs programs of this case and reads what they print.

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** A file with `count` records of a shape, written only once. */
export function roundOf(scratch, count, shape) {
  const path = join(scratch, `${shape}-${count}.ndjson`)
  if (existsSync(path)) return path
  const output = openSync(`${path}.part`, 'w')
  const { status } = spawnSync(process.execPath, ['generate.js', String(count), '--shape', shape], {
    cwd: FOLDER,
    stdio: ['ignore', output, 'inherit']
  })
  closeSync(output)
  if (status !== 0) throw new Error('generate.js failed')
  renameSync(`${path}.part`, path)
  return path
}

/** Runs a program of this case; gives its standard output and its standard error. */
export function run(args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: FOLDER,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28
  })
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr.slice(-2000)}`)
  return { stdout, stderr }
}

/** A variant of the case: the memory and the CPU time that it reports at its end. */
export function runVariant(variant, input, { shape = 'published', collect = true } = {}) {
  const args = [...(collect ? ['--expose-gc'] : []), `${variant}.js`, input, '--shape', shape]
  const { stderr } = run(args, { SPARK_MEMORY: '1' })
  return JSON.parse(stderr.trim().split('\n').at(-1))
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
}

/** Says on standard error what is being measured. */
export function progress(text) {
  console.error(text)
}
