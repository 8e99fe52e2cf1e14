import { useCallback, useLayoutEffect, useState } from 'preact/hooks'

import { HeldAgain } from './again'
import { BlindList } from './blind'
import type { Page, Weighing } from './data'
import { Churn, Findings, Options } from './findings'
import { First } from './first'
import { Map } from './map'
import { openAddressed } from './open'
import { Summary } from './summary'

/** One weighing: how much, where, what to do, what it gains. */
export function WeighingView({ weighing, rules }: { weighing: Weighing; rules: { [code: string]: Page } }) {
  const [query, setQuery] = useState('')
  const search = useCallback((text: string) => {
    setQuery(text)
    document.getElementById('findings')?.scrollIntoView({ block: 'start' })
  }, [])
  // All lists listen by then.
  useLayoutEffect(openAddressed, [])
  return (
    <>
      <Summary weighing={weighing} />
      <First weighing={weighing} />
      <Map weighing={weighing} onPick={search} />
      <Findings weighing={weighing} rules={rules} query={query} onQuery={setQuery} />
      {weighing.again && <HeldAgain again={weighing.again} />}
      <Options weighing={weighing} rules={rules} />
      <Churn weighing={weighing} rules={rules} />
      <BlindList blinds={weighing.not_measured} />
    </>
  )
}
