import { useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { readDraft } from '../../../core/drafts/drafts.ts'
import { useKeys } from '../../../core/keys.ts'
import { goWith, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { PlaceHead } from '../place-head.tsx'
import { InvitePeople } from './invite-people.tsx'
import { NewAccount } from './new-account.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable } from './people-table.tsx'
import { PersonPanel } from './person-panel.tsx'
import { INVITATIONS_DRAFT } from './use-invitations.ts'

const AT_ONCE = 50
const MOST = 200

/** Find a person, see what they can do and did, help or stop them. The address carries the filters and the person. */
export function People() {
  const filter = filterIn(query.value)
  const [limit, setLimit] = useState(AT_ONCE)
  const { body, fault, reload } = useData(addressOf('/admin/people', { ...filter, limit }))
  const who = Number(query.value.get('who')) || undefined
  // What is half written is shown again.
  const [isInviting, setInviting] = useState(() => readDraft(INVITATIONS_DRAFT) !== undefined)
  const form = useRef<HTMLDivElement>(null)
  const invitations = useRef<HTMLDivElement>(null)
  const people = body?.people ?? []
  const step = (by: 1 | -1) => {
    const place = people.findIndex(({ id }) => id === who)
    const next = people[place === -1 ? 0 : place + by]
    if (next !== undefined) goWith({ who: String(next.id) })
  }
  useKeys([
    { keys: 'j', what: 'Next person', run: () => step(1) },
    { keys: 'k', what: 'Previous person', run: () => step(-1) },
  ])
  const openForm = () => {
    goWith({ who: undefined })
    requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
  }
  const openInvitations = () => {
    goWith({ who: undefined })
    setInviting(true)
    requestAnimationFrame(() => invitations.current?.querySelector('textarea')?.focus())
  }
  return (
    <>
      <div class="stack people-head">
        <PlaceHead
          actions={
            <>
              <Button icon="mail" onClick={openInvitations}>
                Invite people
              </Button>
              <Button icon="plus" onClick={openForm}>
                New account
              </Button>
            </>
          }
        >
          <p class="muted">What one can do and did, and how to help or stop them.</p>
        </PlaceHead>
        <PeopleFilters />
      </div>
      {isInviting && who === undefined && (
        <div ref={invitations} class="card admin-card">
          <InvitePeople onMade={reload} onClose={() => setInviting(false)} />
        </div>
      )}
      <div class={who === undefined ? 'people' : 'people has-person'}>
        <div class="people-list stack">
          {body === undefined && (fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />)}
          {body?.total === 0 && (
            <Empty icon="search" title="Nobody matches">
              <p>Search for a part of a name or an address, or for a number.</p>
            </Empty>
          )}
          {people.length > 0 && <PeopleTable people={people} current={who} />}
          {body !== undefined && body.total > 0 && (
            <p class="faint" role="status">
              {people.length} of {body.total.toLocaleString()}, last seen first.{' '}
              {people.length < body.total && limit < MOST && (
                <Button size="small" onClick={() => setLimit(MOST)}>
                  Show more
                </Button>
              )}
              {people.length < body.total && limit === MOST && 'Search for others by name.'}
            </p>
          )}
        </div>
        <div ref={form} class="stack">
          {who === undefined ? (
            <div class="card admin-card">
              <NewAccount onMade={reload} />
            </div>
          ) : (
            <PersonPanel key={who} id={who} onChange={reload} />
          )}
        </div>
      </div>
    </>
  )
}

function filterIn(given: URLSearchParams) {
  const flag = (name: string) => ({ yes: true, no: false })[given.get(name) ?? '']
  return {
    text: given.get('text') || undefined,
    group: given.get('group') || undefined,
    is_enabled: flag('enabled'),
    has_factor: flag('factor'),
  }
}
