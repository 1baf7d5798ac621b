import { useState } from 'preact/hooks'
import { addressOf } from '../../shared/rest-address.ts'
import { isUsableHere } from '../core/account/factors.ts'
import { hasPasskeys, proveWithPasskey } from '../core/account/passkeys.ts'
import { proveWithProvider } from '../core/account/provider-sign-in.ts'
import { me } from '../core/account/session.ts'
import { post, type WaitingForProof } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useOtherWindow } from '../parts/account/provider-buttons.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { FormFault } from '../parts/form-fault.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** Asks for the password again before a sensitive change if it was typed long ago, because the browser may have been left unattended. */
export function ConfirmPassword({ waiting }: { waiting: WaitingForProof }) {
  const { body } = useData(addressOf('/factor'))
  const { body: linked } = useData(addressOf('/user/:ref/provider', { ref: me.value?.id }))
  const links = (linked?.links ?? []).flatMap(({ name, title }) => (name === null ? [] : { name, title }))
  const hasPasskey = hasPasskeys() && body?.factors.some(isUsableHere)
  const hasCodes = body?.factors.some(({ kind }) => kind === 'totp') || (body?.recovery_codes ?? 0) > 0
  const byPasskey = useSubmit(async () => {
    await proveWithPasskey()
    waiting.goOn()
  })
  const isTyped = body === undefined || body.has_password || hasCodes
  return (
    <Dialog title="Confirm that it is you" onClose={waiting.giveUp}>
      <div class="stack">
        <p>
          You logged in as {me.value?.name} some time ago. This change needs a proof that it is still you. Nothing that
          you typed is lost.
        </p>
        {isTyped && <Typed waiting={waiting} hasPassword={body?.has_password ?? true} hasCodes={hasCodes} />}
        {(hasPasskey || links.length > 0) && (
          <div class="factor-buttons">
            {hasPasskey && (
              <Button icon="key" isBusy={byPasskey.isBusy} onClick={byPasskey.submit}>
                Use a passkey
              </Button>
            )}
            {links.map((link) => (
              <ByProvider key={link.name} link={link} onDone={waiting.goOn} />
            ))}
          </div>
        )}
        <FormFault text={byPasskey.fault?.message} />
        {!isTyped && !hasPasskey && links.length === 0 && linked !== undefined && (
          <p>Log out and log in again to make this change.</p>
        )}
      </div>
    </Dialog>
  )
}

function Typed({
  waiting,
  hasPassword,
  hasCodes,
}: {
  waiting: WaitingForProof
  hasPassword: boolean
  hasCodes: boolean
}) {
  const [text, setText] = useState('')
  const [wantsCode, setWantsCode] = useState(false)
  const isCode = wantsCode || !hasPassword
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/session/proof', isCode ? { totp: text } : { password: text })
    waiting.goOn()
  })
  return (
    <form class="stack" onSubmit={submit}>
      <input
        type="text"
        class="visually-hidden"
        autocomplete="username"
        value={me.value?.name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <TextField
        key={String(isCode)}
        label={isCode ? 'Code' : 'Your password'}
        type={isCode ? 'text' : 'password'}
        value={text}
        onText={setText}
        autocomplete={isCode ? 'one-time-code' : 'current-password'}
        isNeeded
        error={fault?.message}
      />
      <div class="factor-buttons">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Go on
        </Button>
        {hasPassword && hasCodes && (
          <Button
            onClick={() => {
              setWantsCode(!isCode)
              setText('')
            }}
          >
            {isCode ? 'Use the password' : 'Use a code'}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The reader logs in at the provider in another window, and the change goes on in this one. */
function ByProvider({ link, onDone }: { link: { name: string; title: string }; onDone(): void }) {
  const { begin, isOpen, fault } = useOtherWindow(onDone)
  const prove = () => begin((abort) => proveWithProvider(link.name, abort))
  return (
    <>
      <Button onClick={prove}>Log in again with {link.title}</Button>
      {isOpen && <p role="status">Log in in the window that has opened. The change then goes on here.</p>}
      <FormFault text={fault?.message} />
    </>
  )
}
