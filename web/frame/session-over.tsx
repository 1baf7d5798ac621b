import { me } from '../core/account/session.ts'
import { hasOwnName, siteName } from '../core/look.ts'
import { isSessionOver } from '../core/server/rest.ts'
import { LoginForm } from '../parts/account/login-form.tsx'
import { ProviderButtons } from '../parts/account/provider-buttons.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** The session has ended while the page was open. What is half written stays as it is. */
export function SessionOver() {
  const close = () => {
    isSessionOver.value = false
  }
  return (
    <Dialog
      title={hasOwnName.value ? `You were logged out of ${siteName.value}` : 'You were logged out'}
      onClose={close}
    >
      <p>Log in to go on. What you have written here is still there.</p>
      <LoginForm onDone={close} known={me.value?.name} />
      <ProviderButtons onDone={close} />
    </Dialog>
  )
}
