import { useEffect, useRef } from 'preact/hooks'
import { loadSession } from '../../../core/account/session.ts'
import { footerLinks, loginText, siteName } from '../../../core/look.ts'
import { Logo } from '../../../parts/logo.tsx'
import type { Parameter } from './parameter.ts'

/** The top of a page, the page to log in and the foot, as they are now, in both themes. */
export function LookPreview({ parameters }: { parameters: readonly Parameter[] }) {
  const saved = parameters.map(({ value }) => value).join('\0')
  const before = useRef(saved)
  useEffect(() => {
    if (before.current === saved) return
    before.current = saved
    // The frame of the page shows it too.
    void loadSession()
  }, [saved])
  return (
    <div class="look-previews">
      <Preview theme="light" />
      <Preview theme="dark" />
    </div>
  )
}

function Preview({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <figure class="look-preview" data-theme={theme}>
      <figcaption class="faint small">{theme === 'light' ? 'Light' : 'Dark'}</figcaption>
      <p class="brand">
        <Logo />
        <span dir="auto">{siteName.value}</span>
      </p>
      {loginText.value !== '' && (
        <p class="login-text muted" dir="auto">
          {loginText.value}
        </p>
      )}
      <p class="row wrap">
        <span class="button button-primary">Log in</span>
        <span class="accent">A link</span>
        <span class="chip is-on">Chosen</span>
      </p>
      <p class="faint small" dir="auto">
        {footerLinks.value.map(({ title }) => title).join(' · ')}
      </p>
    </figure>
  )
}
