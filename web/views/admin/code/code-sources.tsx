import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { PlaceHead } from '../place-head.tsx'
import { CodeSourceForm } from './code-source-form.tsx'
import { CodeSourceRow } from './code-source-row.tsx'
import { type NewSecret, SourceSetUp } from './source-set-up.tsx'

/** Forges and review tools whose changes and commits are linked to bugs. */
export function CodeSources() {
  const { body, fault, reload } = useData(addressOf('/admin/code', {}))
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<NewSecret>()
  const [round, setRound] = useState(0)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const onChange = (secret?: NewSecret) => {
    setRound((last) => last + 1)
    setNew(false)
    if (secret !== undefined) setMade(secret)
    reload()
  }
  return (
    <>
      <PlaceHead
        actions={
          !isNew && (
            <Button icon="plus" onClick={() => setNew(true)}>
              New source
            </Button>
          )
        }
      >
        <p class="muted">
          Where code is kept and reviewed. Its changes and commits are linked to the bugs that they name.
        </p>
      </PlaceHead>
      <div class="with-trail">
        <div class="stack-large mail-parts">
          {isNew && (
            <div class="card admin-card">
              <CodeSourceForm onSaved={onChange} onClose={() => setNew(false)} />
            </div>
          )}
          {made !== undefined && <SourceSetUp {...made} onClose={() => setMade(undefined)} />}
          {body.sources.length === 0 ? (
            <Empty icon="code" title="There are no sources of code">
              <p>GitHub, GitLab, Forgejo, Gerrit, Phabricator or a hook of git tell about changes that name bugs.</p>
            </Empty>
          ) : (
            <ul class="card rows" aria-label="Sources of code">
              {body.sources.map((source) => (
                <CodeSourceRow key={source.id} {...{ source, onChange }} />
              ))}
            </ul>
          )}
        </div>
        <AuditTrail classes={['Tracker::CodeSource']} version={round} />
      </div>
    </>
  )
}
