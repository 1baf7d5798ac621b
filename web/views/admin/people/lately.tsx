import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'

type Activity = Answer<'GET /user/:ref/activity'>

const DAYS = 30
const SHOWN = 8
/** A line has no more. */
const LONGEST_TEXT = 200

/** What they wrote in the last days, the newest first. All of it is on a page of its own, where it can be hidden. */
export function Lately({ id }: { id: number }) {
  const { body, fault } = useData(addressOf('/user/:ref/activity', { ref: id, days: DAYS, text_length: LONGEST_TEXT }))
  const activities = body === undefined ? [] : activitiesIn(body)
  return (
    <section class="person-part" aria-label="Lately">
      <h3>Lately</h3>
      {fault !== undefined && <p class="error">{fault.message}</p>}
      {body !== undefined && activities.length === 0 && <p class="muted">Nothing in the last {DAYS} days.</p>}
      <ul>
        {activities.slice(0, SHOWN).map(({ icon, words, bug, at, text }) => (
          <li key={`${words} ${at} ${text}`} class="person-row">
            <Icon name={icon} size="small" />
            <span class="grow truncated" title={text}>
              {words}{' '}
              <a class="link" href={hrefOf(bugAddress(bug))}>
                {bug}
              </a>{' '}
              <span dir="auto">{text}</span>
            </span>
            <span class="faint">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
      {activities.length > SHOWN && <p class="faint small">and {activities.length - SHOWN} more</p>}
      <div>
        <a class="button button-small" href={hrefOf(`/admin/misuse?who=${id}&days=${DAYS}`)}>
          <Icon name="shield" />
          What they wrote
        </a>
      </div>
    </section>
  )
}

interface OneActivity {
  icon: string
  words: string
  bug: number
  at: string
  text: string
}

function activitiesIn({ bugs, comments, attachments }: Activity): OneActivity[] {
  return [
    ...bugs.map((it) => ({ icon: 'plus', words: 'filed', bug: it.id, at: it.creation_time, text: it.summary })),
    ...comments
      // The description of a bug is listed as the bug.
      .filter(({ count }) => count > 0)
      .map((it) => ({ icon: 'comment', words: 'commented on', bug: it.bug_id, at: it.time, text: it.text })),
    ...attachments.map((it) => ({
      ...{ icon: 'clip', words: 'attached to', bug: it.bug_id, at: it.creation_time, text: it.file_name },
    })),
  ].sort((one, other) => other.at.localeCompare(one.at))
}
