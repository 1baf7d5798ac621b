import { useEffect } from 'preact/hooks'
import { isConnected, isSessionOver, waitingForProof } from '../core/rest.ts'
import { view } from '../core/router.ts'
import { LoadingPage } from '../parts/states.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import { GlobalKeys } from './global-keys.tsx'
import { loadedViews, loadView } from './load-view.ts'
import { SessionOver } from './session-over.tsx'
import { Toasts } from './toasts.tsx'
import { TabBar, TopBar } from './top-bar.tsx'

export function App() {
  const { name, parts } = view.value
  const View = loadedViews.value.get(name)
  useEffect(() => {
    loadView(name).catch(() => {
      isConnected.value = false
    })
  }, [name])
  useEffect(() => {
    document.body.className = `p-${name}`
  }, [name])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      {!isConnected.value && (
        <div class="offline" role="status">
          The server does not answer. What you write is kept here; this line goes away when it answers again.
        </div>
      )}
      {View === undefined ? <LoadingPage /> : <View parts={parts} />}
      <TabBar />
      <Toasts />
      <GlobalKeys />
      {isSessionOver.value && <SessionOver />}
      {waitingForProof.value !== undefined && <ConfirmPassword waiting={waitingForProof.value} />}
    </>
  )
}
