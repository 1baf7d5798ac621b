import { computed, effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ViewName } from '../../shared/addresses.ts'
import { go, view } from '../core/router.ts'
import { isConnected, isSessionOver, mustAddFactor, waitingForProof } from '../core/server/rest.ts'
import { late, useScript, withStyleApart } from '../parts/late.tsx'
import { LoadingPage } from '../parts/states.tsx'
import { GlobalKeys } from './global-keys.tsx'
import { loadedViews, loadView } from './load-view.ts'
import { PageFocus } from './page-focus.tsx'
import { Footer, Notice } from './site-edges.tsx'
import { Toasts } from './toasts.tsx'
import { TabBar, TopBar } from './top-bar.tsx'

// Set before anything is drawn, because components that measure themselves need the layout of the page.
const viewName = computed(() => view.value.name)
effect(() => {
  document.body.className = `view-${viewName.value}`
})

const SessionOver = late(async () => (await withStyleApart(import('./session-over.tsx'))).SessionOver)
const ConfirmPassword = late(async () => (await withStyleApart(import('./confirm-password.tsx'))).ConfirmPassword)

/** Where one logs in anyway, or gets a new password because the sessions have ended. */
const ABOUT_ACCOUNTS: ReadonlySet<ViewName> = new Set(['login', 'login-return', 'join', 'forgot', 'confirm'])

export function App() {
  const { name, parts } = view.value
  const View = loadedViews.value.get(name)
  useScript(() => loadView(name), name)
  useEffect(() => {
    if (mustAddFactor.value && name !== 'settings') go('/settings/factors', 'replace')
  }, [name, mustAddFactor.value])
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <TopBar />
      {!isConnected.value && (
        <div class="offline" role="status">
          The server does not answer. What you write is kept here; this line goes away when it answers again.
        </div>
      )}
      <Notice />
      {View === undefined ? <LoadingPage /> : <View parts={parts} />}
      <Footer />
      <TabBar />
      <Toasts />
      <GlobalKeys />
      <PageFocus />
      {isSessionOver.value && !ABOUT_ACCOUNTS.has(name) && <SessionOver />}
      {waitingForProof.value !== undefined && <ConfirmPassword waiting={waitingForProof.value} />}
    </>
  )
}
