import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { useHasPassword } from '../../core/account/factors.ts'
import { parameters } from '../../core/account/session.ts'
import { hrefOf } from '../../core/router.ts'
import { openResponse } from '../../core/server/files.ts'
import { post } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

/** What is stored about the reader, and how to leave. */
export function Leaving({ who }: { who: Me }) {
  const [isClosing, setClosing] = useState(false)
  return (
    <section class="stack" aria-label="Your data">
      <h2>Your data</h2>
      <p class="muted">A file with all that is stored about you: your account, and what you wrote and changed.</p>
      <div>
        <DataLink id={who.id} />
      </div>
      {parameters.value.allowuserdeletion === '1' && (
        <div>
          <Button kind="danger" onClick={() => setClosing(true)}>
            Close your account
          </Button>
        </div>
      )}
      {isClosing && <CloseAccount who={who} onClose={() => setClosing(false)} />}
    </section>
  )
}

function DataLink({ id }: { id: number }) {
  const [address, name] = [addressOf('/user/:ref/data', { ref: id }), `account-${id}.json`]
  const open = (event: MouseEvent) => {
    if (isSecureContext) return
    event.preventDefault()
    void openResponse(address, name)
  }
  return (
    <a class="button" href={hrefOf(address)} download={name} onClick={open}>
      <Icon name="download" />
      Download what is stored about you
    </a>
  )
}

function CloseAccount({ who, onClose }: { who: Me; onClose(): void }) {
  const hasPassword = useHasPassword()
  const [password, setPassword] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/user/:ref/anonymise', { ref: who.id, ...(hasPassword ? { old_password: password } : {}) })
    location.assign(hrefOf('/'))
  })
  return (
    <Dialog title="Close your account" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          Your name, address, keys, searches and preferences are deleted. Bugs and comments that you wrote stay, under a
          neutral name. This cannot be undone.
        </p>
        {hasPassword ? (
          <TextField
            label="Your password"
            type="password"
            value={password}
            onText={setPassword}
            autocomplete="current-password"
            isNeeded
            error={fault?.message}
          />
        ) : (
          <FormFault text={fault?.message} />
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            Close the account for ever
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
