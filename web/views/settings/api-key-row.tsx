import { useState } from 'preact/hooks'
import { exactTime, shortDate } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'

export interface ApiKey {
  id: number
  description: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  is_revoked: boolean
  last_used: string | null
}

const SOON_MILLISECONDS = 14 * 24 * 60 * 60 * 1000

interface RowProps {
  apiKey: ApiKey
  /** Absent for keys that no longer work. */
  onRevoke?: () => Promise<void>
}

export function ApiKeyRow({ apiKey, onRevoke }: RowProps) {
  const [isAsking, setAsking] = useState(false)
  const name = apiKey.description || 'Key without a description'
  const { scopes, created_at, last_used } = apiKey
  return (
    <li class="row-search">
      <Icon name="key" />
      <div class="grow">
        <b dir="auto">{name}</b>
        <div class="faint small">
          May {scopes.join(', ')} · since <Time at={created_at} /> ·{' '}
          {last_used === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={last_used} />
            </>
          )}{' '}
          · <End apiKey={apiKey} />
        </div>
      </div>
      {onRevoke !== undefined && (
        <Button size="s" kind="danger" onClick={() => setAsking(true)}>
          Revoke<span class="vh"> {name}</span>
        </Button>
      )}
      {isAsking && onRevoke !== undefined && (
        <RevokeDialog name={name} lastUsed={last_used} onRevoke={onRevoke} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

function End({ apiKey: { is_revoked, expires_at } }: { apiKey: ApiKey }) {
  if (is_revoked) return <>revoked</>
  if (expires_at === null) return <>never ends</>
  const left = new Date(expires_at).getTime() - Date.now()
  const words = (
    <time dateTime={expires_at} title={exactTime(expires_at)}>
      {shortDate(expires_at)}
    </time>
  )
  if (left <= 0) return <>ended {words}</>
  return <span class={left < SOON_MILLISECONDS ? 'warn' : undefined}>ends {words}</span>
}

interface DialogProps {
  name: string
  lastUsed: string | null
  onRevoke(): Promise<void>
  onClose(): void
}

function RevokeDialog({ name, lastUsed, onRevoke, onClose }: DialogProps) {
  const revoke = async () => {
    await onRevoke()
    onClose()
  }
  return (
    <Dialog
      title={`Revoke “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void revoke()}>
            Revoke the key
          </Button>
        </>
      }
    >
      <p>
        Programs that use this key stop working at once. It cannot be used again.{' '}
        {lastUsed === null ? (
          'It was never used.'
        ) : (
          <>
            Its last use: <Time at={lastUsed} />.
          </>
        )}
      </p>
    </Dialog>
  )
}
