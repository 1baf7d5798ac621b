import { useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { QUEUES_CALL } from '../../shared/first-calls.ts'
import { administersProducts, me } from '../core/account/session.ts'
import { hrefOf } from '../core/router.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { Button } from '../parts/button.tsx'
import { WaitingProposals } from '../parts/proposals/waiting-proposals.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { type EditedQueue, QueueForm } from './triage/queue-form.tsx'
import { QueuePage } from './triage/queue-page.tsx'
import { Rotations } from './triage/rotations.tsx'
import { personName } from './triage/triage-store.ts'

export function View({ parts }: { parts: Address['parts'] }) {
  useTitle(parts.queue === undefined ? 'Triage' : `Triage: ${parts.queue}`)
  if (me.value === undefined)
    return (
      <main id="main" class="page">
        <h1>Triage</h1>
        <Empty icon="triage" title="Log in to triage">
          <a class="button button-primary" href={hrefOf('/login?to=/triage')}>
            Log in
          </a>
        </Empty>
      </main>
    )
  return parts.queue === undefined ? <Queues /> : <QueuePage key={parts.queue} name={parts.queue} />
}

function Queues() {
  const { body, fault, reload } = useData(QUEUES_CALL)
  const [edited, setEdited] = useState<EditedQueue | 'new'>()
  if (fault !== undefined && body === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (body === undefined) return <LoadingPage />
  return (
    <main id="main" class="page">
      <div class="section-head">
        <h1>Triage</h1>
        {administersProducts.value && (
          <div class="align-end">
            <Button icon="plus" onClick={() => setEdited('new')}>
              New queue…
            </Button>
          </div>
        )}
      </div>
      <WaitingProposals />
      {body.queues.length === 0 ? (
        <Empty icon="triage" title="You work in no queue">
          <p>
            A queue has a search and a group whose members decide about its bugs. Administrators of products make
            queues.
          </p>
        </Empty>
      ) : (
        <ul class="card rows" aria-label="Queues">
          {body.queues.map((queue) => (
            <li key={queue.id} class="row triage-queue">
              <a class="grow medium" href={hrefOf(`/triage/${encodeURIComponent(queue.name)}`)} dir="auto">
                {queue.name}
              </a>
              {queue.rotation?.turns[0]?.person != null && (
                <span class="faint small">
                  now <bdi>{personName(queue.rotation.turns[0].person)}</bdi>
                </span>
              )}
              <span class="count">
                {queue.bug_count === null ? 'not countable' : queue.bug_count.toLocaleString()}
                <span class="visually-hidden"> to triage</span>
              </span>
              {queue.can_change && (
                <Button size="small" onClick={() => setEdited(queue)}>
                  Change<span class="visually-hidden"> {queue.name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {administersProducts.value && <Rotations />}
      {edited !== undefined && (
        <QueueForm
          queue={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={reload}
        />
      )}
    </main>
  )
}
