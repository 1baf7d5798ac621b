import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import type { ScheduledMail } from './scheduled-mail.ts'

const SHOWN = 10

/** What the mail would contain now, for the reader. */
export function ScheduledPreview({ mail: { subject, body, searches, mail_if_no_bugs } }: { mail: ScheduledMail }) {
  return (
    <section class="stack recovery" aria-label={`Preview of ${subject}`}>
      <p>
        <b dir="auto">{subject}</b>
      </p>
      {body !== '' && (
        <p dir="auto" class="break-anywhere">
          {body}
        </p>
      )}
      {searches.map(({ search, title, one_mail_per_bug }) => (
        <FoundBugs key={search} search={search} title={title} isPerBug={one_mail_per_bug} />
      ))}
      <p class="hint">
        This is what you would get now. Other readers get only bugs that they may see.
        {mail_if_no_bugs ? ' It is sent also if no bug is found.' : ' If no bug is found, it is not sent.'}
      </p>
    </section>
  )
}

function FoundBugs({ search, title, isPerBug }: { search: string; title: string; isPerBug: boolean }) {
  const query = { savedsearch: search, include_fields: 'id,summary', limit: SHOWN + 1 }
  const { body, fault } = useData(addressOf('/bug', query))
  const bugs = body?.bugs ?? []
  return (
    <div>
      <h2 dir="auto">{title || search}</h2>
      {isPerBug && <p class="muted small">Each bug comes in a mail of its own.</p>}
      {fault !== undefined && <p class="warn">{fault.message}</p>}
      {body !== undefined && bugs.length === 0 && <p class="muted">No bug is found now.</p>}
      <ul class="plain">
        {bugs.slice(0, SHOWN).map(({ id, summary }) => (
          <li key={id}>
            <a class="link" href={hrefOf(`/bug/${id}`)} dir="auto">
              {id} {summary}
            </a>
          </li>
        ))}
      </ul>
      {bugs.length > SHOWN && <p class="muted small">and more</p>}
    </div>
  )
}
