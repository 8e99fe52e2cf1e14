import { OTHERS, type Finding, type Group } from './data'
import { Evidence } from './evidence'
import { bytes, count, share } from './figures'
import type { Rules } from './findings'
import { position, SourceLine } from './line'
import { Path } from './path'
import { linkTo } from './open'
import { placeOf } from './place'
import { RulePage } from './rulepage'
import { harmless } from './text'

/** The row above the findings of a group. */
export function GroupRow({ group, of, whole }: { group: Group; of: string; whole: number }) {
  return (
    <li class="group">
      <span class="code">{harmless(group.rule)}</span> <bdi class="place-of mono">{harmless(group.of)}</bdi>
      <span class="title">
        {count(group.findings.length)} findings that one edit fixes → {harmless(group.fix)}
      </span>
      <b>
        {bytes(group.saves)}, {share(group.saves, whole)} of {of}
      </b>
    </li>
  )
}

/** One fix at one place: closed it says all that matters, open it shows why. */
export function Row(props: {
  finding: Finding
  rank: number | null
  id: string
  /** What the saving is a share of: its name, and bytes. */
  of: string
  whole: number
  rules: Rules
  open: boolean
  /** Stands under the row of its group. */
  member?: boolean
  onToggle: () => void
}) {
  const { finding, rank, id, of, whole, rules, open, member, onToggle } = props
  const others = finding.rule === OTHERS
  const detail = `${id}-detail`
  return (
    <li class={`finding${open ? ' open' : ''}${member ? ' member' : ''}`}>
      <button
        type="button"
        id={id}
        data-finding={finding.fingerprint}
        class="row"
        aria-expanded={open}
        aria-controls={detail}
        onClick={onToggle}
      >
        <span class="rank">{rank === null ? '·' : rank + 1}</span>
        <span class="code-cell">{others ? '' : <span class="code">{harmless(finding.rule)}</span>}</span>
        <span class="what">
          <bdi class="place mono">{others ? 'small findings' : placeOf(finding)}</bdi>
          <span class="title">{harmless(finding.title)}</span>
          {finding.fix && (
            <span class="fix">
              <span aria-hidden="true">→ </span>
              {harmless(finding.fix)}
            </span>
          )}
          {finding.line && <bdi class="at mono">{position(finding.line)}</bdi>}
        </span>
        <span class="objects">{objects(finding)}</span>
        <span class="saves">
          <b>
            {finding.confidence === 'estimate' && (
              <abbr title="an estimate: open it to see what it assumes" aria-label="about">
                ≈
              </abbr>
            )}{' '}
            {bytes(finding.saves)}
          </b>
          <span>
            {share(finding.saves, whole)} of {of}
          </span>
          {rank !== null && whole > 0 && (
            <i class="gauge" aria-hidden="true">
              <i style={{ width: `${Math.min(100, Math.max(1, (finding.saves / whole) * 100))}%` }} />
            </i>
          )}
        </span>
        <span class="chevron" aria-hidden="true" />
      </button>
      <div id={detail} class="detail" hidden={!open}>
        {open && <Detail finding={finding} rules={rules} />}
      </div>
    </li>
  )
}

/** Objects the fix changes, and of how many at this place. */
function objects({ rule, count: number, unaffected }: Finding): string {
  if (rule === OTHERS || number === 0) return ''
  return unaffected === 0 ? `all ${count(number)}` : `${count(number)} of ${count(number + unaffected)}`
}

function Detail({ finding, rules }: { finding: Finding; rules: Rules }) {
  const page = rules[finding.rule]
  const most = Math.max(finding.bytes_now, 1)
  return (
    <>
      <div class="sides">
        <div>
          <h3>What the fix changes</h3>
          <dl class="pairs">
            <Pair name="now">
              <Meter part={1} /> {bytes(finding.bytes_now)}
            </Pair>
            <Pair name="after this fix">
              <Meter part={finding.bytes_after / most} /> {bytes(finding.bytes_after)}
            </Pair>
            <Pair name="saves if you make only this fix">{bytes(finding.saves_alone)}</Pair>
            <Pair name="saves after the fixes above it">
              <b>{bytes(finding.saves)}</b> <span class="exact">{count(finding.saves)} B</span>
            </Pair>
            <Pair name="memory">{finding.external ? 'outside the runtime’s heap' : 'on the heap'}</Pair>
            {finding.site && finding.holder && (
              <Pair name="allocated at">
                <bdi class="mono">{harmless(finding.site)}</bdi>
              </Pair>
            )}
            <Pair name="confidence">
              {finding.confidence === 'exact' ? 'exact: it follows from the dump alone' : 'an estimate'}
            </Pair>
            <Pair name="rests on">
              {finding.tier === 'sure' ? 'the data alone' : 'what the program does'}
              {finding.assumes && <>; it assumes that {assumption(harmless(finding.assumes))}</>}
            </Pair>
            <Pair name="left as they are">
              {finding.unaffected === 0
                ? 'no object: every one here is concerned'
                : `${count(finding.unaffected)} objects at this place`}
            </Pair>
            <Pair name="link">
              <a class="mono" href={linkTo(finding)}>
                {harmless(finding.fingerprint)}
              </a>{' '}
              <span class="soft">
                <kbd>c</kbd> copies it
              </span>
            </Pair>
          </dl>
        </div>
        <Evidence evidence={finding.evidence} />
      </div>
      {finding.line && <SourceLine line={finding.line} />}
      {finding.path && finding.path.length > 0 && <Path path={finding.path} />}
      {page && <RulePage code={finding.rule} page={page} />}
    </>
  )
}

/** An assumption is written as a sentence without its start. */
function assumption(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text
}

function Pair({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Meter({ part }: { part: number }) {
  return (
    <i class="meter" aria-hidden="true">
      <i style={{ width: `${Math.min(100, Math.max(part > 0 ? 1 : 0, part * 100))}%` }} />
    </i>
  )
}
