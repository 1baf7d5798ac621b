import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useKeys } from '../../../core/keys.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { PlaceHead } from '../place-head.tsx'
import { OpenRemovals } from '../removals/open-removals.tsx'
import { KeywordRow } from './keyword-row.tsx'
import { NewKeyword } from './new-keyword.tsx'

/** One-word labels of bugs. Each is saved by itself. */
export function Keywords() {
  const { body, fault, reload } = useData(addressOf('/keyword'))
  const version = useData(addressOf('/admin/changes'))
  const counts = useData(addressOf('/report', { y_axis_field: 'keywords' }))
  const [text, setText] = useState('')
  const [isNew, setNew] = useState(false)
  useKeys([{ keys: 'n', what: 'New keyword', run: () => setNew(true) }])
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const shown = body.keywords.filter(({ name, description }) => isFound(text, name, description))
  const onChange = () => {
    for (const part of [version, counts]) part.reload()
    reload()
  }
  const bugsWith = (name: string) => counts.body?.counts.find(({ y }) => y === name)?.bug_count ?? 0
  return (
    <>
      <OpenRemovals isShown={({ class: it }) => it === 'Tracker::Keyword'} onEnd={onChange} />
      <PlaceHead
        actions={
          <>
            <span class="faint">
              {shown.length === body.keywords.length
                ? `${shown.length} ${shown.length === 1 ? 'keyword' : 'keywords'}`
                : `${shown.length} of ${body.keywords.length}`}
            </span>
            <Button icon="plus" shortcut="n" onClick={() => setNew(true)}>
              New keyword
            </Button>
          </>
        }
      >
        <FindBox label="Find a keyword" text={text} onText={setText} found={shown.length} />
      </PlaceHead>
      <div class="with-trail">
        {shown.length === 0 ? (
          <Empty icon="tag" title={body.keywords.length === 0 ? 'There are no keywords yet' : 'No keyword matches'}>
            <p>A keyword is one word that can be put on bugs of every product, such as regression.</p>
          </Empty>
        ) : (
          <ul class="card rows" aria-label="Keywords">
            {shown.map((keyword) => (
              <KeywordRow
                key={keyword.id}
                {...{ keyword, onChange }}
                others={body.keywords.filter(({ id }) => id !== keyword.id).map(({ name }) => name)}
                bugs={counts.body === undefined ? undefined : bugsWith(keyword.name)}
                version={version.body?.version ?? 0}
              />
            ))}
          </ul>
        )}
        <AuditTrail classes={['Tracker::Keyword']} {...version.body} />
      </div>
      {isNew && <NewKeyword onClose={() => setNew(false)} onMade={onChange} />}
    </>
  )
}
