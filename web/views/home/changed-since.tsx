import { SHORT_FIELDS } from '../../addresses.ts'
import { post } from '../../core/rest.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { showFault } from '../../core/toasts.ts'
import type { Me } from '../../core/types.ts'
import { useData } from '../../core/use-data.ts'
import type { ShortBug } from '../../parts/bug-rows.tsx'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Time } from '../../parts/time.tsx'

interface Visit {
  id: number
  last_visit_ts: string
}

const MOST_VISITS = 50

/** Bugs that the reader has looked at, and that were changed after that. */
export function ChangedSince({ who }: { who: Me }) {
  const visits = useData<Visit[]>(`/rest/bug_user_last_visit?for=${who.id}`)
  const seen = new Map((visits.body ?? []).slice(0, MOST_VISITS).map(({ id, last_visit_ts }) => [id, last_visit_ts]))
  const bugs = useData<{ bugs: ShortBug[] }>(
    seen.size === 0
      ? undefined
      : `/rest/bug/?${new URLSearchParams({ ids: [...seen.keys()].join(','), permissive: '1', include_fields: SHORT_FIELDS })}`,
  )
  if (visits.body === undefined) return null
  const changed = (bugs.body?.bugs ?? [])
    .filter(({ id, last_change_time }) => last_change_time > (seen.get(id) ?? ''))
    .sort((one, other) => (one.last_change_time < other.last_change_time ? 1 : -1))
  const markSeen = async () => {
    try {
      await post('/rest/bug_user_last_visit', { ids: changed.map(({ id }) => id) })
      visits.reload()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <section aria-labelledby="changed">
      <div class="sec-h">
        <h2 id="changed">Changed since you looked</h2>
        {changed.length > 0 && (
          <span class="faint small">{changed.length === 1 ? '1 bug' : `${changed.length} bugs`}</span>
        )}
        {changed.length > 0 && (
          <span class="push">
            <Button kind="quiet" size="s" icon="check" onClick={markSeen}>
              Mark all as seen
            </Button>
          </span>
        )}
      </div>
      {changed.length === 0 ? (
        <p class="card empty-line">Bugs that you have looked at stand here when somebody changes them.</p>
      ) : (
        <ul class="card rows">
          {changed.map((bug) => (
            <li key={bug.id} class="row-bug">
              <span class="dot" />
              <span class="vh">New</span>
              <Status value={bug.status} isOpen={bug.is_open} short />
              <span class="c-id">{bug.id}</span>
              <a class="cut grow med" href={hrefOf(bugAddress(bug.id))} dir="auto">
                {bug.summary}
              </a>
              <span class="faint small nowrap">
                <Time at={bug.last_change_time} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
