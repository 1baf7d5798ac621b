import { bugsCall } from '../../../shared/first-calls.ts'
import { useData } from '../../core/server/use-data.ts'
import { dayOf } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import type { TriageQueue, TriageStore } from './triage-store.ts'

const FIELDS = 'id,summary,status,is_open,creator_detail,creation_time'

/** What was decided since the morning, by everybody. */
export function doneToday({ decided }: TriageQueue) {
  const today = dayOf(new Date().toISOString())
  return decided.filter(({ at }) => dayOf(at) === today)
}

/** The bugs that wait, the oldest first. On a phone it is a count with the ways to the next one and the one before. */
export function QueueList({ store, queue }: { store: TriageStore; queue: TriageQueue }) {
  const { body } = useData(queue.bugs.length === 0 ? undefined : bugsCall(queue.bugs, FIELDS))
  const bugs = new Map((body?.bugs ?? []).map((bug) => [bug.id, bug]))
  const more = (queue.bug_count ?? 0) - queue.bugs.length
  const place = store.current.value === undefined ? 0 : queue.bugs.indexOf(store.current.value) + 1
  return (
    <nav class="triage-list" aria-label="To triage">
      <div class="only-phone row triage-steps">
        <Button size="small" onClick={() => store.step(-1)}>
          Previous
        </Button>
        <span>
          {place} of {queue.bugs.length}
        </span>
        <Button size="small" onClick={() => store.step(1)}>
          Next
        </Button>
      </div>
      <ol class="triage-rows">
        {queue.bugs.map((id) => {
          const bug = bugs.get(id)
          const claim = store.claims.value.get(id)
          return (
            <li key={id}>
              <button
                type="button"
                class="triage-row"
                aria-current={store.current.value === id ? 'true' : undefined}
                onClick={() => store.show(id, true)}
              >
                {bug !== undefined && <Status value={bug.status} isOpen={bug.is_open} short />}
                <span class="grow">
                  <span class="truncated" dir="auto">
                    {bug?.summary ?? `Bug ${id}`}
                  </span>
                  <span class="row faint small">
                    {id}
                    {bug !== undefined && (
                      <>
                        <span class="truncated">
                          by <bdi>{nameOf(bug.creator_detail)}</bdi>
                        </span>
                        <span class="align-end">
                          <Time at={bug.creation_time} />
                        </span>
                      </>
                    )}
                  </span>
                </span>
                {claim !== undefined && (
                  <span title={`${nameOf(claim)} triages it now`}>
                    <Avatar id={claim.id} name={nameOf(claim)} size={16} />
                    <span class="visually-hidden">{nameOf(claim)} triages it now</span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ol>
      {more > 0 && <p class="faint triage-more">{more.toLocaleString()} more</p>}
      {queue.snoozed.length > 0 && <p class="faint triage-more">{queue.snoozed.length.toLocaleString()} snoozed</p>}
    </nav>
  )
}
