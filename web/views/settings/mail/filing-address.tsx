import { useState } from 'preact/hooks'
import { post, remove } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { credentialsCall } from '../access/credential.ts'
import { SecretOnce } from '../secret-once.tsx'
import { Times } from '../times.tsx'

/** The secret address to which the reader sends mail that becomes bugs and comments. It is shown only when it is made. */
export function FilingAddress({ who }: { who: Me }) {
  const { body, reload } = useData(credentialsCall(who))
  const [address, setAddress] = useState<string>()
  const [isAsking, setAsking] = useState<'replace' | 'end'>()
  const close = () => setAsking(undefined)
  const { submit, isBusy, fault } = useSubmit(async () => {
    close()
    setAddress((await post('/user/:user/mail_address', { user: who.id })).address)
    reload()
  })
  const known = body?.credentials.find(({ kind }) => kind === 'mail_address')
  const end = async () => {
    const call = () => remove('/user/:user/mail_address', { user: who.id })
    await showResult(call, 'The address has ended.', () => {
      setAddress(undefined)
      reload()
    })
    close()
  }
  return (
    <form class="stack" aria-label="Filing by mail" onSubmit={submit}>
      <h2>Filing by mail</h2>
      <p class="muted">
        Mail to a secret address of your own files bugs and comments as you. Treat the address like a password.
      </p>
      {known !== undefined && (
        <div>
          You have an address.
          <Times created={null} lastUsed={known.last_used} />
        </div>
      )}
      {address !== undefined && (
        <SecretOnce
          label="The address for filing by mail"
          name="address"
          secret={address}
          onDone={() => setAddress(undefined)}
        >
          Mail to this address becomes a bug, or a comment if the subject names a bug.
        </SecretOnce>
      )}
      <FormFault text={fault?.message} />
      <div class="factor-buttons">
        {known === undefined ? (
          <Button type="submit" icon="mail" isBusy={isBusy}>
            Get an address
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsking('replace')}>Get another address</Button>
            <Button kind="danger" onClick={() => setAsking('end')}>
              End the address
            </Button>
          </>
        )}
      </div>
      {isAsking !== undefined && (
        <Dialog
          title={isAsking === 'end' ? 'End the address?' : 'Get another address?'}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={(event) => void (isAsking === 'end' ? end() : submit(event))}>
                {isAsking === 'end' ? 'End it' : 'Replace it'}
              </Button>
            </>
          }
        >
          <p>Mail to the present address is refused at once. This cannot be undone.</p>
        </Dialog>
      )}
    </form>
  )
}
