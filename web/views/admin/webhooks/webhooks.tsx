import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { goWith, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { WebhookOfUser } from './webhook-of-user.tsx'

const SHOWN = 50
const WAIT_MILLISECONDS = 250
const STATES: Readonly<Record<string, { name: string; filter: { is_active?: boolean; is_failing?: boolean } }>> = {
  '': { name: 'any state', filter: {} },
  failing: { name: 'failing', filter: { is_active: true, is_failing: true } },
  on: { name: 'switched on', filter: { is_active: true } },
  off: { name: 'switched off', filter: { is_active: false } },
}

/** Where the tracker sends what happens, for everybody. */
export function Webhooks() {
  const text = query.value.get('text') ?? ''
  const state = query.value.get('state') ?? ''
  const after = Number(query.value.get('after') ?? 0) || 0
  const filter = STATES[state]?.filter ?? {}
  const { body, fault, reload } = useData(
    addressOf('/admin/webhooks', {
      limit: SHOWN,
      ...(text !== '' && { text }),
      ...filter,
      ...(after > 0 && { after }),
    }),
  )
  const [round, setRound] = useState(0)
  const onChange = () => {
    setRound((last) => last + 1)
    reload()
  }
  const hooks = body?.webhooks
  const last = hooks?.at(-1)?.id
  return (
    <>
      <WebhookFilters applied={text} state={state} found={hooks?.length} />
      <div class="with-trail">
        {hooks === undefined ? (
          fault === undefined ? (
            <Skeleton />
          ) : (
            <Refused fault={fault} retry={reload} />
          )
        ) : (
          <div class="stack">
            {hooks.length === 0 ? (
              <Empty icon="out" title={text === '' && state === '' ? 'There are no webhooks' : 'No webhook matches'}>
                <p>Users make webhooks in their settings. Each gets what its owner may see.</p>
              </Empty>
            ) : (
              <ul class="card rows" aria-label="Webhooks">
                {hooks.map((hook) => (
                  <WebhookOfUser key={hook.id} {...{ hook, onChange }} onLook={reload} />
                ))}
              </ul>
            )}
            <div class="row wrap">
              {after > 0 && <Button onClick={() => goWith({ after: undefined })}>First</Button>}
              {hooks.length === SHOWN && last !== undefined && (
                <Button onClick={() => goWith({ after: String(last) })}>More</Button>
              )}
            </div>
          </div>
        )}
        <AuditTrail classes={['Tracker::Webhook']} version={round} />
      </div>
    </>
  )
}

interface FilterProps {
  applied: string
  state: string
  found: number | undefined
}

/** What is typed is applied after a moment, a choice at once. */
function WebhookFilters({ applied, state, found }: FilterProps) {
  const [text, setText] = useState(applied)
  useEffect(() => {
    if (text === applied) return
    const timer = setTimeout(() => goWith({ text: text || undefined, after: undefined }), WAIT_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <search class="row wrap place-head">
      <div class="grow">
        <FindBox
          label="Find an owner or an address"
          text={text}
          onText={setText}
          {...(found !== undefined && { found })}
        />
      </div>
      <select
        class="input select people-choice"
        aria-label="State"
        value={state}
        onChange={({ currentTarget: { value } }) => goWith({ state: value || undefined, after: undefined })}
      >
        {Object.entries(STATES).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </search>
  )
}
