import { useEffect } from 'preact/hooks'
import { remove } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { type Credential, credentialsCall, isFactor } from './credential.ts'
import { CredentialRow } from './credential-row.tsx'

/** What one button ends: all but what is in use and second factors. */
export function endedTogether(credentials: readonly Credential[] = []): Credential[] {
  return credentials.filter((it) => !it.is_current && !isFactor(it))
}

interface Props {
  who: Me
  title: string
  credentials: readonly Credential[]
  onDone(): void
  onClose(): void
}

export function EndAllDialog({ who, title, credentials, onDone, onClose }: Props) {
  const end = async () => {
    onClose()
    await showResult(
      () => remove('/user/:user/credential', { user: who.id }),
      'Only this browser acts for you now.',
      onDone,
    )
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep all of it</Button>
          <Button kind="danger" onClick={() => void end()}>
            End all of it
          </Button>
        </>
      }
    >
      <p>
        This still acts for you. If you do not know some of it, end all of it: programs that use it stop working at
        once. This cannot be undone.
      </p>
      <ul class="card rows">
        {credentials.map((credential) => (
          <CredentialRow key={`${credential.kind} ${credential.id}`} credential={credential} />
        ))}
      </ul>
    </Dialog>
  )
}

/** After a new password: what still acts for the user is shown in a dialog, if there is something. */
export function AfterNewPassword({ who, onAsked }: { who: Me; onAsked(): void }) {
  const { body, reload } = useData(credentialsCall(who))
  // What was read before the change would name sessions that have ended with it.
  useEffect(reload, [])
  const credentials = endedTogether(body?.credentials)
  if (credentials.length === 0) return null
  return (
    <EndAllDialog who={who} title="Your password is changed" {...{ credentials }} onDone={reload} onClose={onAsked} />
  )
}
