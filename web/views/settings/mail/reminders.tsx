import { addressOf } from '../../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import { remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { IconButton } from '../../../parts/button.tsx'

/** What the reader will be reminded of. */
export function Reminders() {
  const { body, reload } = useData(addressOf('/reminder'))
  if (body === undefined) return null
  return (
    <section class="stack" aria-label="Reminders">
      <h2>Reminders</h2>
      {body.reminders.length === 0 ? (
        <p class="muted">“Remind me…”, among the actions of a bug, mails you a note on a day.</p>
      ) : (
        <ul class="card rows">
          {body.reminders.map(({ id, bug_id, note, reminder_ts }) => (
            <li key={id} class="mail-row">
              <span class="grow">
                <a class="link" href={hrefOf(bugAddress(bug_id ?? 0))}>
                  Bug {bug_id}
                </a>{' '}
                on {reminder_ts} <bdi class="faint">{note}</bdi>
              </span>
              <IconButton
                name={`Delete the reminder of bug ${bug_id}`}
                icon="x"
                onClick={() =>
                  void showResult(() => remove('/reminder/:id', { id: id ?? 0 }), 'The reminder is deleted.', reload)
                }
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
