import { hrefOf } from '../core/router.ts'
import { requestsBy, requestsOf } from '../core/searches.ts'
import { me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import type { Me } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import type { ShortBug } from '../parts/bug-rows.tsx'
import { Empty, Refused, Skeleton } from '../parts/states.tsx'
import { type Request, RequestRow, requestsIn } from './home/requests.tsx'

const MOST = 200

export function View() {
  useTitle('Requests')
  const who = me.value
  return (
    <main id="main" class="page">
      <h1>Requests</h1>
      {who === undefined ? (
        <Empty icon="ask" title="Log in to see what is asked of you">
          <a class="btn btn-primary" href={hrefOf('/login?to=/requests')}>
            Log in
          </a>
        </Empty>
      ) : (
        <Both who={who} />
      )}
    </main>
  )
}

function Both({ who }: { who: Me }) {
  const ofMe = useData<{ bugs: ShortBug[] }>(requestsOf(who.name, MOST))
  const byMe = useData<{ bugs: ShortBug[] }>(requestsBy(who.name, MOST))
  const fault = ofMe.fault ?? byMe.fault
  if (fault !== undefined) return <Refused fault={fault} retry={ofMe.reload} />
  if (ofMe.body === undefined || byMe.body === undefined) return <Skeleton />
  return (
    <>
      <Section
        title="Asked of you"
        empty="Nobody asks you for anything."
        requests={requestsIn(ofMe.body.bugs, ({ requestee }) => requestee === who.name)}
        onAnswered={ofMe.reload}
      />
      <Section
        title="Asked by you"
        empty="You have asked for nothing that is still open."
        requests={requestsIn(byMe.body.bugs, ({ setter }) => setter === who.name)}
      />
    </>
  )
}

interface SectionProps {
  title: string
  empty: string
  requests: readonly Request[]
  onAnswered?(): void
}

function Section({ title, empty, requests, onAnswered }: SectionProps) {
  return (
    <section class="sec" aria-label={title}>
      <div class="sec-h">
        <h2>{title}</h2>
        <span class="count">{requests.length}</span>
      </div>
      {requests.length === 0 ? (
        <p class="card empty-line">{empty}</p>
      ) : (
        <ul class="card">
          {requests.map((request) => (
            <RequestRow key={request.flag.id} request={request} {...(onAnswered && { onAnswered })} />
          ))}
        </ul>
      )}
    </section>
  )
}
