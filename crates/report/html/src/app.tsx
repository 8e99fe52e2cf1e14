import { useLayoutEffect, useState } from 'preact/hooks'

import type { Data } from './data'
import { Help } from './help'
import { ProofView } from './proof'
import { harmless } from './text'
import { ThemeButton } from './theme'
import { programOf, titleOf } from './title'
import { WeighingView } from './weighing'

/** The page: a weighing, one of several, or a proof. */
export function App({ data }: { data: Data | null }) {
  const [shown, setShown] = useState(0)
  const weighings = data?.weighings ?? []
  const weighing = weighings[shown]
  const source = weighing?.source ?? data?.proof?.before.source
  useLayoutEffect(() => {
    document.title = titleOf(data, shown)
  }, [data, shown])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the figures
      </a>
      <header class="top">
        <span class="brand" aria-hidden="true">
          <Mark /> deadweight
        </span>
        {source && (
          <bdi class="program" title={harmless(source.path)}>
            {programOf(source)}
          </bdi>
        )}
        {weighings.length > 1 && (
          <label class="pick">
            <span class="unseen">Dump</span>
            <select value={shown} onChange={(event) => setShown(Number(event.currentTarget.value))}>
              {weighings.map((one, at) => (
                <option key={at} value={at}>
                  {harmless(one.source.path)}
                </option>
              ))}
            </select>
          </label>
        )}
        <span class="tools">
          <ThemeButton />
          <Help />
        </span>
      </header>
      <main id="main" tabIndex={-1}>
        {data && weighing && <WeighingView key={shown} weighing={weighing} rules={data.rules} />}
        {data?.proof && <ProofView proof={data.proof} rules={data.rules} />}
        {!weighing && !data?.proof && (
          <p class="banner" role="alert">
            There is no weighing in this page: it was cut off, or made by hand. Write it again with{' '}
            <code>deadweight weigh --format html</code>.
          </p>
        )}
      </main>
      <footer class="foot">
        deadweight {data?.version} · bytes in powers of ten (1 MB = 1,000,000 B) · this page loads nothing from anywhere
      </footer>
    </>
  )
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M7 6a3 3 0 1 1 6 0" fill="none" stroke="currentColor" stroke-width="1.8" />
      <path d="M4.4 6.2h11.2l2 11.3H2.4z" fill="currentColor" />
    </svg>
  )
}
