import { useState } from 'preact/hooks'

import type { Block, Inline, Page } from './data'

/** The rule's page: what it finds, how it predicts, how to fix it, when not to. */
export function RulePage({ code, page }: { code: string; page: Page }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="rule-page" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {code} · {page.title}: how it is found, how to fix it in each language, when not to
      </summary>
      {open && <div class="prose">{grouped(page.blocks).map((piece, at) => <Piece key={at} piece={piece} />)}</div>}
    </details>
  )
}

/** Entries that follow each other are one list. */
function grouped(blocks: Block[]): (Block | Block[])[] {
  const pieces: (Block | Block[])[] = []
  for (const block of blocks) {
    const last = pieces.at(-1)
    if (block.kind !== 'item') pieces.push(block)
    else if (Array.isArray(last)) last.push(block)
    else pieces.push([block])
  }
  return pieces
}

function Piece({ piece }: { piece: Block | Block[] }) {
  if (Array.isArray(piece)) {
    return (
      <ul>
        {piece.map((item, at) => (
          <li key={at}>{item.kind === 'item' && <Text text={item.text} />}</li>
        ))}
      </ul>
    )
  }
  switch (piece.kind) {
    case 'heading':
      // The page's own title is the line that opens it.
      return piece.level === 1 ? null : (
        <h4>
          <Text text={piece.text} />
        </h4>
      )
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{piece.lines.join('\n')}</code>
        </pre>
      )
    default:
      return (
        <p>
          <Text text={piece.text} />
        </p>
      )
  }
}

function Text({ text }: { text: Inline[] }) {
  return (
    <>
      {text.map(([kind, words], at) =>
        kind === 'code' ? <code key={at}>{words}</code> : kind === 'strong' ? <strong key={at}>{words}</strong> : words,
      )}
    </>
  )
}
