import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { remove } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { byLastUse, type Credential, credentialsCall, wordsFor } from './credential.ts'
import { CredentialRow } from './credential-row.tsx'
import { EndAllDialog, endedTogether } from './end-all.tsx'

/** Everything that can act as the reader, in one list, with its last use and a way to end it. */
export function Access({ who }: { who: Me }) {
  const { body, fault, reload } = useData(credentialsCall(who))
  const [isAsking, setAsking] = useState(false)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const { credentials } = body
  const together = endedTogether(credentials)
  const end = ({ id, ...rest }: Credential) => {
    const { title, end: call } = wordsFor({ id, ...rest })
    return showResult(async () => call?.(who, id), `Ended: ${title}.`, reload)
  }
  const keys = new Map(credentials.filter(({ kind }) => kind === 'api_key').map(({ id, name }) => [id, name]))
  return (
    <section class="stack" aria-label="What acts for you">
      <p class="muted">
        Everything that can act or listen in your name. End what you do not know, then{' '}
        <a class="link" href={hrefOf('/settings')}>
          change your password
        </a>
        .
      </p>
      <ul class="card rows">
        {byLastUse(credentials).map((credential) => (
          <CredentialRow
            key={`${credential.kind} ${credential.id}`}
            credential={credential}
            madeWith={credential.key_id === null ? undefined : keys.get(credential.key_id)}
            onEnd={() => end(credential)}
          />
        ))}
      </ul>
      {together.length === 0 && <p class="muted">Only this browser.</p>}
      <div class="factor-buttons">
        {together.some(({ kind }) => kind === 'session') && (
          <Button
            onClick={() =>
              void showResult(() => remove('/session/others', {}), 'All other sessions have ended.', reload)
            }
          >
            End all other sessions
          </Button>
        )}
        {together.length > 0 && (
          <Button kind="danger" onClick={() => setAsking(true)}>
            End all of it
          </Button>
        )}
      </div>
      {isAsking && (
        <EndAllDialog
          who={who}
          title="End everything that acts for you?"
          credentials={together}
          onDone={reload}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}
