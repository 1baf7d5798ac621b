import { useState } from 'preact/hooks'
import { nickFrom } from '../../../../shared/nicks.ts'
import { put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { NickField } from '../../../parts/nick-field.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Account } from './account.ts'

interface Props {
  account: Account
  onChange(): void
}

export function RenameButton({ account, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon="edit" onClick={() => setOpen(true)}>
        Name, nick and address
      </Button>
      {isOpen && <RenamePerson {...{ account, onChange }} onClose={() => setOpen(false)} />}
    </>
  )
}

function RenamePerson({ account, onChange, onClose }: Props & { onClose(): void }) {
  const [realName, setRealName] = useState(account.real_name)
  const [email, setEmail] = useState(account.name)
  const [nick, setNick] = useState(account.nick)
  const isMoved = email.trim() !== account.name
  const { submit, isBusy, fault } = useSubmit(async () => {
    await put('/user/:ref', {
      ref: account.id,
      full_name: realName,
      ...(nickFrom(nick) !== account.nick && { nick }),
      ...(isMoved && { email }),
    })
    showToast({ kind: 'done', text: 'The account is changed.' })
    onChange()
    onClose()
  })
  return (
    <Dialog title="Name, nick and address" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField label="Real name" isFocused value={realName} onText={setRealName} />
        <NickField value={nick} onText={setNick} userId={account.id} before={account.nick} />
        <TextField
          label="Mail address"
          isNeeded
          value={email}
          onText={setEmail}
          {...(isMoved && {
            hint: 'It is also the login name: all sessions end, and groups with a pattern are compared with it again.',
          })}
        />
        <FormFault text={fault?.message} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
