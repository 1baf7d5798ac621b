import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { goWith, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { PlaceHead } from '../place-head.tsx'
import { AddedFacts, type AddedProgram, NewProgram } from './new-program.tsx'
import { ProgramRow } from './program-row.tsx'

const SHOWN = 100

/** The programs that may ask users for access. */
export function Programs() {
  const offset = Number(query.value.get('offset') ?? 0) || 0
  const { body, fault, reload } = useData(addressOf('/oauth_client', { limit: SHOWN, offset }))
  const [isNew, setNew] = useState(false)
  const [added, setAdded] = useState<AddedProgram>()
  const [round, setRound] = useState(0)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const onChange = () => {
    setRound((last) => last + 1)
    reload()
  }
  const { clients, total } = body
  return (
    <>
      <PlaceHead
        actions={
          !isNew && (
            <Button icon="plus" onClick={() => setNew(true)}>
              New program
            </Button>
          )
        }
      >
        <p class="muted">
          Programs that have registered to ask users for access with OAuth, such as agents that use /mcp. Each user
          decides; here you end a program for all. What nobody has given access goes after a day.
        </p>
      </PlaceHead>
      <div class="with-trail">
        <div class="stack-large mail-parts">
          {added !== undefined && <AddedFacts program={added} onDone={() => setAdded(undefined)} />}
          {isNew && (
            <NewProgram
              onAdded={(program) => {
                setAdded(program)
                setNew(false)
                onChange()
              }}
              onClose={() => setNew(false)}
            />
          )}
          {clients.length === 0 ? (
            <Empty icon="link" title={offset > 0 ? 'No more programs' : 'No program has registered'}>
              <p>Programs register themselves, unless the parameter “Programs register themselves” is off.</p>
            </Empty>
          ) : (
            <ul class="card rows" aria-label="Programs">
              {clients.map((client) => (
                <ProgramRow key={client.id} {...{ client, onChange }} />
              ))}
            </ul>
          )}
          {(offset > 0 || offset + clients.length < total) && (
            <div class="row wrap">
              {offset > 0 && <Button onClick={() => goWith({ offset: undefined })}>First</Button>}
              {offset + clients.length < total && (
                <Button onClick={() => goWith({ offset: String(offset + SHOWN) })}>More</Button>
              )}
            </div>
          )}
        </div>
        <AuditTrail classes={['Tracker::OAuthClient']} version={round} />
      </div>
    </>
  )
}
