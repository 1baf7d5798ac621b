import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { shortDate } from '../../../core/times.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { UndoKey } from '../../../parts/undo-key.tsx'
import { Times } from '../times.tsx'
import { type Credential, isFactor, isProgram, rightsOf, wordsFor } from './credential.ts'

interface Props {
  credential: Credential
  /** The description of the API key that made it. */
  madeWith?: string | undefined
  /** Absent where it is only shown. */
  onEnd?(): Promise<void>
}

/** What it is, what it may do, when it was last used, and the button that ends it. */
export function CredentialRow({ credential, madeWith, onEnd }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  useFocusAfterRemoval()
  const { name, created_at, last_used, expires_at, is_current } = credential
  const { title, icon, address, end } = wordsFor(credential)
  return (
    <li class="search-row">
      <Icon name={icon} />
      <div class="grow break-anywhere">
        <b>{is_current && credential.kind === 'session' ? 'This browser' : title}</b> <span dir="auto">{name}</span>
        <div class="small">may {rightsOf(credential)}</div>
        <Times created={created_at} lastUsed={is_current ? null : last_used}>
          {is_current && <span>in use now</span>}
          {!is_current && last_used === null && <span>no use recorded</span>}
          {expires_at !== null && <span>ends {shortDate(expires_at)}</span>}
          {madeWith !== undefined && (
            <span>
              made with the API key “<bdi>{madeWith}</bdi>”
            </span>
          )}
        </Times>
      </div>
      {onEnd !== undefined && isProgram(credential) && last_used !== null && (
        <Button size="small" onClick={() => setUndoing(true)}>
          Undo…<span class="visually-hidden"> what {name} did</span>
        </Button>
      )}
      {isUndoing && <UndoKey id={credential.id} name={name} onClose={() => setUndoing(false)} />}
      {onEnd !== undefined && !is_current && end !== undefined && (
        <Button size="small" kind="danger" onClick={() => setAsking(true)}>
          End it<span class="visually-hidden">: {`${title} ${name}`}</span>
        </Button>
      )}
      {onEnd !== undefined && isFactor(credential) && address !== undefined && (
        <a class="link small" href={hrefOf(address)}>
          Second factors
        </a>
      )}
      {isAsking && onEnd !== undefined && (
        <EndDialog credential={credential} onEnd={onEnd} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

function EndDialog({
  credential,
  onEnd,
  onClose,
}: {
  credential: Credential
  onEnd(): Promise<void>
  onClose(): void
}) {
  const { title, ended } = wordsFor(credential)
  const end = async () => {
    await onEnd()
    onClose()
  }
  return (
    <Dialog
      title={`End this: ${title}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void end()}>
            End it
          </Button>
        </>
      }
    >
      {credential.name !== '' && (
        <p class="break-anywhere">
          <b dir="auto">{credential.name}</b>
        </p>
      )}
      <p>{ended}</p>
    </Dialog>
  )
}
