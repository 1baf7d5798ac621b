import { put } from '../../core/rest.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { requestsOf } from '../../core/searches.ts'
import { show, showFault } from '../../core/toasts.ts'
import type { Flag, Me } from '../../core/types.ts'
import { useData } from '../../core/use-data.ts'
import type { ShortBug } from '../../parts/bug-rows.tsx'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/time.tsx'

const MOST = 20

/** A flag that somebody is asked for, with its bug. */
export interface Request {
  bug: ShortBug
  flag: Flag
}

export function requestsIn(bugs: readonly ShortBug[], isWanted: (flag: Flag) => boolean): Request[] {
  return bugs.flatMap((bug) =>
    (bug.flags ?? []).filter((flag) => flag.status === '?' && isWanted(flag)).map((flag) => ({ bug, flag })),
  )
}

/** What is asked of the reader, with the answers right there. */
export function Requests({ who }: { who: Me }) {
  const { body, reload } = useData<{ bugs: ShortBug[] }>(requestsOf(who.name, MOST))
  if (body === undefined) return null
  const requests = requestsIn(body.bugs, ({ requestee }) => requestee === who.name)
  return (
    <section aria-labelledby="asked">
      <div class="sec-h">
        <h2 id="asked">Asked of you</h2>
        {requests.length > 0 && <span class="count count-acc">{requests.length}</span>}
        <a class="link small push" href={hrefOf('/requests')}>
          All requests
        </a>
      </div>
      {requests.length === 0 ? (
        <p class="card empty-line">When somebody asks you for a review or an answer, it stands here.</p>
      ) : (
        <ul class="card">
          {requests.map((request) => (
            <RequestRow key={request.flag.id} request={request} onAnswered={reload} />
          ))}
        </ul>
      )}
    </section>
  )
}

export function RequestRow({ request, onAnswered }: { request: Request; onAnswered?(): void }) {
  const { bug, flag } = request
  const answer = async (status: '+' | '-') => {
    try {
      await put(`/rest/bug/${bug.id}`, { flags: [{ id: flag.id, status }] })
      show({ kind: 'done', text: `${flag.name}${status} is set on bug ${bug.id}.` })
      onAnswered?.()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <li class="ask">
      <div class="grow">
        <div class="ask-l">
          <b dir="auto">{flag.setter}</b> <span class="muted">asks for</span>{' '}
          <span class="flag flag-q">
            <b>{flag.name}?</b>
          </span>{' '}
          <span class="muted">on</span>{' '}
          <a class="med" href={hrefOf(bugAddress(bug.id))} dir="auto">
            <span class="faint">{bug.id}</span> {bug.summary}
          </a>{' '}
          <span class="faint small nowrap">
            <Time at={flag.modification_date} />
          </span>
        </div>
      </div>
      {onAnswered !== undefined && (
        <div class="row ask-b">
          <Button size="s" onClick={() => answer('+')}>
            Grant
          </Button>
          <Button size="s" onClick={() => answer('-')}>
            Deny
          </Button>
        </div>
      )}
    </li>
  )
}
