import { useState } from 'preact/hooks'
import type { Answer, NameOf } from '../../../../client/call-types.ts'
import { remove } from '../../../core/server/rest.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'

type Client = Answer<NameOf<'GET', '/oauth_client'>>['clients'][number]

interface Props {
  client: Client
  onChange(): void
}

/** What a program calls itself, where its answers go, who has given it access, and the button that ends it. */
export function ProgramRow({ client, onChange }: Props) {
  const [isAsking, setAsking] = useState(false)
  useFocusAfterRemoval()
  const { name, redirect_uris, users, registered_from, created_at, last_used } = client
  const hosts = [...new Set(redirect_uris.map((uri) => new URL(uri).host))]
  const end = async () => {
    setAsking(false)
    await showResult(() => remove('/oauth_client/:id', { id: client.id }), `Ended: ${name}.`, onChange)
  }
  return (
    <li class="search-row">
      <Icon name="link" />
      <div class="grow break-anywhere">
        <b dir="auto">{name}</b> <span class="muted">{hosts.join(', ')}</span>
        <div class="small">{accessInWords(users)}</div>
        <div class="small muted">
          {registered_from === null ? 'Added by an administrator' : `Registered itself from ${registered_from}`}{' '}
          <Time at={created_at} isInSentence />
          {last_used !== null && (
            <>
              , last renewed <Time at={last_used} isInSentence />
            </>
          )}
        </div>
      </div>
      <Button size="small" kind="danger" onClick={() => setAsking(true)}>
        End it<span class="visually-hidden">: {name}</span>
      </Button>
      {isAsking && (
        <Dialog
          title="End this program?"
          onClose={() => setAsking(false)}
          buttons={
            <>
              <Button onClick={() => setAsking(false)}>Keep it</Button>
              <Button kind="danger" onClick={() => void end()}>
                End it
              </Button>
            </>
          }
        >
          <p class="break-anywhere">
            <b dir="auto">{name}</b>
          </p>
          <p>
            {accessInWords(users)}. The access ends at once, with what was made with it. The program can register again
            while programs may register themselves.
          </p>
        </Dialog>
      )}
    </li>
  )
}

function accessInWords(users: number) {
  if (users === 0) return 'Nobody has given it access'
  return users === 1 ? 'One user has given it access' : `${users} users have given it access`
}
