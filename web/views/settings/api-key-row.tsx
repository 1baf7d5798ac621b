import { useState } from 'preact/hooks'
import { hrefOf } from '../../core/router.ts'
import { exactTime, shortDate } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { rateInWords } from '../../parts/proposals/rate.ts'
import { Time } from '../../parts/time.tsx'
import { UndoKey } from '../../parts/undo-key.tsx'
import { Times } from './times.tsx'

export interface ApiKey {
  id: number
  description: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  is_revoked: boolean
  last_used: string | null
  proposals?: Parameters<typeof rateInWords>[0] | undefined
}

const SOON_MILLISECONDS = 14 * 24 * 60 * 60 * 1000

interface RowProps {
  apiKey: ApiKey
  /** Absent for keys that no longer work. */
  onRevoke?: () => Promise<void>
}

export function ApiKeyRow({ apiKey, onRevoke }: RowProps) {
  const [isAsking, setAsking] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  const name = apiKey.description || 'Key without a description'
  const { scopes, created_at, last_used } = apiKey
  return (
    <li class="search-row">
      <Icon name="key" />
      <div class="grow">
        <b dir="auto">{name}</b>
        <Times created={created_at} lastUsed={last_used}>
          {last_used === null && <span>never used</span>}
          <End apiKey={apiKey} />
          <span>may {scopes.join(', ')}</span>
          {apiKey.proposals !== undefined && (
            <a class="link" href={hrefOf(`/proposals?key_id=${apiKey.id}&status=all`)}>
              {rateInWords(apiKey.proposals)}
            </a>
          )}
        </Times>
      </div>
      {last_used !== null && (
        <Button size="small" onClick={() => setUndoing(true)}>
          Undo…<span class="visually-hidden"> what {name} did</span>
        </Button>
      )}
      {isUndoing && <UndoKey id={apiKey.id} name={name} onClose={() => setUndoing(false)} />}
      {onRevoke !== undefined && (
        <Button size="small" kind="danger" onClick={() => setAsking(true)}>
          Revoke<span class="visually-hidden"> {name}</span>
        </Button>
      )}
      {isAsking && onRevoke !== undefined && (
        <RevokeDialog name={name} lastUsed={last_used} onRevoke={onRevoke} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

function End({ apiKey: { is_revoked, expires_at } }: { apiKey: ApiKey }) {
  if (is_revoked) return <span>revoked</span>
  if (expires_at === null) return <span>never ends</span>
  const left = new Date(expires_at).getTime() - Date.now()
  const words = (
    <time dateTime={expires_at} title={exactTime(expires_at)}>
      {shortDate(expires_at)}
    </time>
  )
  if (left <= 0) return <span>ended {words}</span>
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
            It was last used <Time at={lastUsed} isInSentence />.
          </>
        )}
      </p>
    </Dialog>
  )
}
