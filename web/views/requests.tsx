import { MY_REQUESTS_CALL } from '../../shared/first-calls.ts'
import { me } from '../core/account/session.ts'
import { openRequestsCall, requestsMadeCall } from '../core/bugs/searches.ts'
import { hrefOf } from '../core/router.ts'
import type { Flag, Me } from '../core/server/types.ts'
import { useTitle } from '../core/title.ts'
import { Empty, Refused, Skeleton } from '../parts/states.tsx'
import { RequestRow, useRequests } from './home/requests.tsx'
import { useAnswerable } from './home/use-answerable.ts'

const MOST = 100
/** In days. */
const DEFERRALS = [1, 3, 7] as const

export function View() {
  useTitle('Requests')
  const who = me.value
  return (
    <main id="main" class="page">
      <h1>Requests</h1>
      {who === undefined ? (
        <Empty icon="ask" title="Log in to see your requests">
          <a class="button button-primary" href={hrefOf('/login?to=/requests')}>
            Log in
          </a>
        </Empty>
      ) : (
        <All who={who} />
      )}
    </main>
  )
}

function All({ who }: { who: Me }) {
  return (
    <>
      <Section
        title="Asked of you"
        empty="Nothing is asked of you."
        search={MY_REQUESTS_CALL}
        isWanted={({ requestee }) => requestee === who.name}
        canAnswer
      />
      <Section
        title="Asked of anybody"
        empty="No request is open to everybody."
        search={openRequestsCall(MOST)}
        isWanted={({ requestee }) => requestee === undefined}
        canAnswer
      />
      <Section
        title="Asked by you"
        empty="You have asked for nothing that is still open."
        search={requestsMadeCall(who.name, MOST)}
        isWanted={({ setter }) => setter === who.name}
      />
    </>
  )
}

interface SectionProps {
  title: string
  empty: string
  search: string
  isWanted(flag: Flag): boolean
  canAnswer?: boolean
}

function Section({ title, empty, search, isWanted, canAnswer }: SectionProps) {
  const { found, fault, reload } = useRequests(search, isWanted)
  const answerable = useAnswerable(canAnswer ? found : undefined)
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {found !== undefined && found.length > 0 && <span class="count">{found.length}</span>}
      </div>
      {fault !== undefined ? (
        <Refused fault={fault} retry={reload} />
      ) : found === undefined ? (
        <Skeleton rows={2} />
      ) : found.length === 0 ? (
        <p class="card empty-line">{empty}</p>
      ) : (
        <ul class="card">
          {new Set(found.map(({ bug }) => bug.id)).size >= MOST && (
            <li class="empty-line">Requests on the {MOST} bugs that were changed last. Answer some to see more.</li>
          )}
          {found.map((request) => (
            <RequestRow
              key={request.flag.id}
              request={request}
              canAnswer={answerable.has(request.flag.id)}
              isQuestion={answerable.get(request.flag.id) ?? false}
              deferDays={DEFERRALS}
              {...(canAnswer && { onAnswered: reload })}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
