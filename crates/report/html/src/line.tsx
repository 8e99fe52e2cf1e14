import type { Line } from './data'
import { share } from './figures'
import { harmless } from './text'

/** `src/db.js:41`. */
export function position(line: Line): string {
  return harmless(`${line.file}:${line.line}`)
}

/** What stands there. */
function what({ is, name, share: part }: Line): string {
  const named = name ? harmless(name) : ''
  const allocates =
    part === undefined || part >= 0.995 ? 'allocates it' : `allocates ${share(Math.round(part * 1000), 1000)} of it`
  switch (is) {
    case 'allocation':
      return named ? `${allocates}, in ${named}` : allocates
    case 'allocating_function':
      return `${named || 'the function there'} ${allocates}`
    case 'class':
      return named ? `class ${named}` : 'its class'
    case 'holding_class':
      return named ? `class ${named} holds it` : 'a class that holds it'
    case 'function':
      return named ? `function ${named} reaches it` : 'a function there reaches it'
    case 'module':
      return 'the module that holds it'
  }
}

/** Where a finding is changed, with the source around it where that was at hand. */
export function SourceLine({ line }: { line: Line }) {
  const from = line.around_from
  return (
    <div class="source">
      <h3>Where in the source</h3>
      <p>
        <bdi class="mono">{position(line)}</bdi>: {what(line)}
        {line.through && <>, in {harmless(line.through)}</>}
      </p>
      {line.around && from !== undefined && (
        <ol class="mono" start={from} aria-label={`lines of ${harmless(line.file)}`}>
          {line.around.map((text, index) => (
            <li key={index} class={from + index === line.line ? 'here' : undefined}>
              <bdi>{harmless(text) || ' '}</bdi>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
