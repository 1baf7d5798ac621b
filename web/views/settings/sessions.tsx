import { addressOf } from '../../../shared/rest-address.ts'
import { remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Times } from './times.tsx'

interface Session {
  id: number
  created_at: string
  last_used: string
  device: string
  last_address: string | null
  is_current: boolean
}

export function Sessions() {
  const { body, reload } = useData(addressOf('/session'))
  const sessions = body?.sessions ?? []
  const change = (call: () => Promise<unknown>, done: string) => showResult(call, done, reload)
  return (
    <section class="stack" aria-label="Sessions">
      <h2>Where you are logged in</h2>
      <ul class="card rows">
        {sessions.map((session) => (
          <Row
            key={session.id}
            session={session}
            onEnd={() => change(() => remove('/session/:id', { id: session.id }), 'The session has ended.')}
          />
        ))}
      </ul>
      {sessions.some(({ is_current }) => !is_current) && (
        <div>
          <Button onClick={() => change(() => remove('/session/others', {}), 'All other sessions have ended.')}>
            End all other sessions
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { created_at, last_used, device, last_address, is_current } = session
  return (
    <li class="bug-row">
      <span class="grow">
        {is_current ? <b>This browser</b> : device || 'A program'}
        {is_current && device !== '' && `, ${device}`}
        <Times verb="logged in" created={created_at} lastUsed={is_current ? null : last_used}>
          {last_address !== null && <span>from {last_address}</span>}
        </Times>
      </span>
      {!is_current && (
        <Button size="small" onClick={onEnd}>
          End it
        </Button>
      )}
    </li>
  )
}
