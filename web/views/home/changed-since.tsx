import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { loadPeople, personBy } from '../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { get, post } from '../../core/server/rest.ts'
import type { Comment } from '../../core/server/types.ts'
import { showFault } from '../../core/toasts.ts'
import type { ShortBug } from '../../parts/bug-rows.tsx'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import { firstUnquotedLine } from './requests.tsx'
import type { Visits } from './use-visits.ts'

/** Bugs that were changed since the reader looked at them, with the last comment of each. */
export function ChangedSince({ visits }: { visits: Visits }) {
  const changed = visits.bugs
    .filter(visits.isUnread)
    .sort((one, other) => (one.last_change_time < other.last_change_time ? 1 : -1))
  const comments = useNewComments(changed, visits)
  const markSeen = async () => {
    try {
      await post('/bug_user_last_visit', { ids: changed.map(({ id }) => id) })
      visits.reload()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <section aria-labelledby="changed">
      <div class="section-head">
        <h2 id="changed">Changed since you looked</h2>
        {changed.length > 0 && (
          <>
            <span class="faint small nowrap">{changed.length === 1 ? '1 bug' : `${changed.length} bugs`}</span>
            <span class="align-end">
              <Button kind="quiet" size="small" icon="check" onClick={markSeen}>
                Mark all as seen
              </Button>
            </span>
          </>
        )}
      </div>
      {changed.length === 0 ? (
        <p class="card empty-line">Bugs that you have looked at are listed here when they change.</p>
      ) : (
        <ul class="card">
          {changed.map((bug) => (
            <ChangedBug key={bug.id} bug={bug} comments={comments.get(bug.id) ?? []} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ChangedBug({ bug, comments }: { bug: ShortBug; comments: readonly NewComment[] }) {
  const last = comments.at(-1)
  const person = last && personBy(last.creator)
  return (
    <li class="changed-bug">
      <a class="changed-bug-title" href={`${hrefOf(bugAddress(bug.id))}${last === undefined ? '' : '#new'}`}>
        <Status value={bug.status} isOpen={bug.is_open} short />
        <span class="cell-id">{bug.id}</span>
        <b class="truncated medium" dir="auto">
          {bug.summary}
        </b>
      </a>
      {comments.length > 0 && <span class="badge badge-accent changed-bug-count">{comments.length} new</span>}
      {last !== undefined && person !== undefined && (
        <div class="changed-bug-comment">
          <Avatar id={person.id} name={nameOf(person)} size={16} />
          <span class="truncated">
            <b class="medium" dir="auto">
              {nameOf(person).split(' ')[0]}
            </b>{' '}
            <span class="muted" dir="auto">
              {firstUnquotedLine(last.text)}
            </span>
          </span>
        </div>
      )}
      <span class="faint small changed-bug-time">
        <Time at={bug.last_change_time} />
      </span>
    </li>
  )
}

type NewComment = Pick<Comment, 'bug_id' | 'text' | 'time' | 'creator'>

/** What others wrote about each bug after the reader looked at it. */
function useNewComments(bugs: readonly ShortBug[], { seenAt }: Visits): ReadonlyMap<number, readonly NewComment[]> {
  const [found, setFound] = useState<ReadonlyMap<number, readonly NewComment[]>>(new Map())
  const [first, ...others] = bugs.map(({ id }) => id)
  const since = bugs.map(({ id }) => seenAt(id) ?? '').sort()[0] ?? ''
  const key = `${since} ${bugs.map(({ id, last_change_time: changed }) => `${id} ${changed}`).join()}`
  useEffect(() => {
    if (first === undefined) return
    const abort = new AbortController()
    const include_fields = 'bug_id,text,time,creator'
    const address = addressOf('/bug/:ref/comment', { ref: first, ids: others, new_since: since, include_fields })
    get(address, abort.signal).then(
      ({ bugs: answers }) => {
        if (abort.signal.aborted) return
        const isNew = ({ bug_id: id, text, time, creator }: NewComment) =>
          text !== '' && time > (seenAt(id) ?? '') && creator !== me.value?.name
        const all = Object.entries(answers).map(([id, { comments }]) => [Number(id), comments.filter(isNew)] as const)
        void loadPeople(all.flatMap(([, comments]) => comments.slice(-1).map(({ creator }) => creator)))
        setFound(new Map(all))
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [key])
  return found
}
