import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isAdmin } from '../../../core/account/session.ts'
import { goWith } from '../../../core/router.ts'
import { post, put } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { DialogEnd } from '../../../parts/dialog-end.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { type Account, nameIn } from './account.ts'

interface Props {
  account: Account
  onChange(): void
}

export function DangerZone({ account, onChange }: Props) {
  const [open, setOpen] = useState<'disable' | 'anonymise'>()
  const close = () => setOpen(undefined)
  const setText = async (text: string, done: string, undone?: string) => {
    await put('/user/:ref', { ref: account.id, login_denied_text: text })
    const run = () => void setText(account.login_denied_text, undone ?? '').catch(showFault)
    showToast({ kind: 'done', text: done, ...(undone !== undefined && { action: { name: 'Undo', run } }) })
    onChange()
  }
  const name = nameIn(account)
  return (
    <div class="person-danger">
      <div class="person-part row wrap">
        <div class="grow">
          <b>{account.can_login ? 'Disable' : 'Enable'}</b>
          <div class="muted small">
            {account.can_login
              ? 'They cannot log in; all sessions end. Name and bugs stay. Can be undone.'
              : 'They can log in again, with the password that they had.'}
          </div>
        </div>
        {account.can_login ? (
          <Button kind="danger" onClick={() => setOpen('disable')}>
            Disable…
          </Button>
        ) : (
          <Button
            onClick={() => void setText('', `${name} can log in again.`, `${name} is disabled again.`).catch(showFault)}
          >
            Enable
          </Button>
        )}
      </div>
      {isAdmin.value && (
        <div class="person-part row wrap">
          <div class="grow">
            <b>Anonymise</b>
            <div class="muted small">Who they are is removed, and what they did stays. Cannot be undone.</div>
          </div>
          <Button kind="danger" onClick={() => setOpen('anonymise')}>
            Anonymise…
          </Button>
        </div>
      )}
      {open === 'disable' && (
        <DisableDialog
          name={name}
          onClose={close}
          onDisable={(text) => setText(text, `${name} is disabled.`, `${name} can log in again.`)}
        />
      )}
      {open === 'anonymise' && <AnonymiseDialog account={account} onClose={close} onDone={onChange} />}
    </div>
  )
}

interface DisableProps {
  name: string
  onClose(): void
  onDisable(text: string): Promise<void>
}

function DisableDialog({ name, onClose, onDisable }: DisableProps) {
  const [text, setText] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    await onDisable(text)
    onClose()
  })
  return (
    <Dialog title={`Disable ${name}?`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>They cannot log in any more. Sessions, API keys, webhooks and scheduled mail stop. Their bugs stay.</p>
        <TextField
          label="A sentence that they read when they try to log in"
          isNeeded
          isFocused
          value={text}
          onText={setText}
          placeholder="You left the company in March. Ask … if this is wrong."
        />
        <DialogEnd
          {...{ fault, isBusy, onClose }}
          action="Disable the account"
          unavailable={text.trim() === '' ? 'Write the sentence first.' : undefined}
          isDangerous
        />
      </form>
    </Dialog>
  )
}

function AnonymiseDialog({ account, onClose, onDone }: { account: Account; onClose(): void; onDone(): void }) {
  const [typed, setTyped] = useState('')
  const filed = useData(addressOf('/bug', { creator: account.name, count_only: true }))
  const { submit, isBusy, fault } = useSubmit(async () => {
    const { name } = await post('/user/:ref/anonymise', { ref: account.id })
    showToast({ kind: 'done', text: `They are now ${name}.` })
    onClose()
    goWith({ who: undefined })
    onDone()
  })
  const count = filed.body === undefined ? undefined : (filed.body as { bug_count?: number }).bug_count
  const isTyped = typed.trim().toLowerCase() === account.name.toLowerCase()
  return (
    <Dialog title={`Anonymise ${nameIn(account)}?`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          Removed: name, address, password, keys, sessions, groups, preferences, saved searches. Kept under a neutral
          name: {count === undefined ? 'bugs' : count === 1 ? '1 bug' : `${count.toLocaleString()} bugs`} that they
          filed, comments, attachments, history. Nobody can undo this.
        </p>
        <TextField
          label="Type the address to confirm"
          isNeeded
          isFocused
          value={typed}
          onText={setTyped}
          hint={account.name}
          autocomplete="off"
        />
        <DialogEnd
          {...{ fault, isBusy, onClose }}
          action="Anonymise for good"
          unavailable={isTyped ? undefined : 'Type the address first.'}
          isDangerous
        />
      </form>
    </Dialog>
  )
}
