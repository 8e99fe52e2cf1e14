import { useLayoutEffect, useState } from 'preact/hooks'

import { kept, keep } from './kept'

type Theme = 'auto' | 'light' | 'dark'

const NEXT: { [theme in Theme]: Theme } = { auto: 'light', light: 'dark', dark: 'auto' }

const NAME: { [theme in Theme]: string } = { auto: 'auto', light: 'light', dark: 'dark' }

/** Light, dark, or as the system says. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => {
    const saved = kept('theme')
    return saved === 'light' || saved === 'dark' ? saved : 'auto'
  })
  useLayoutEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    keep('theme', theme)
  }, [theme])
  return (
    <button type="button" class="tool" onClick={() => setTheme(NEXT[theme])}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
      <span>
        <span class="unseen">Colours: </span>
        {NAME[theme]}
      </span>
    </button>
  )
}
