import { useState } from 'preact/hooks'
import { SAVED_CALL } from '../../../../shared/first-calls.ts'
import { whenInWords } from '../../../core/bugs/mail-times.ts'
import { isOwn, MAILS_CALL, maySchedule, type SavedSearch } from '../../../core/bugs/saved-searches.ts'
import { post, put, remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { exactTime } from '../../../core/times.ts'
import { showResult, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { type MailValues, NEW_SCHEDULE, paramsOf, type ScheduledMail, valuesOf } from './scheduled-mail.ts'
import { ScheduledMailForm } from './scheduled-mail-form.tsx'
import { ScheduledPreview } from './scheduled-preview.tsx'

const NEW_MAIL: MailValues = { subject: '', body: '', mail_if_no_bugs: false, searches: [], schedules: [NEW_SCHEDULE] }

/** Searches that are mailed at chosen times. */
export function ScheduledMails() {
  const { body, fault, reload } = useData(MAILS_CALL)
  const saved = useData(SAVED_CALL)
  const [isOpen, setOpen] = useState(false)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const own = (saved.body?.saved_searches ?? []).filter(isOwn)
  const create = async (values: MailValues) => {
    await post('/scheduled_mail', paramsOf(values))
    showToast({ kind: 'done', text: 'The mail is scheduled.' })
    setOpen(false)
    reload()
  }
  return (
    <section class="stack" aria-label="Scheduled mail">
      <p class="muted">The bugs that your saved searches find, by mail, at times that you choose.</p>
      {!maySchedule() && (
        <p class="note">
          Only members of bz_canusewhines can schedule mail, and you are not one. You can delete what you have.
        </p>
      )}
      {body.scheduled_mails.length === 0 ? (
        <p class="muted">No mail is scheduled.</p>
      ) : (
        <ul class="card rows">
          {body.scheduled_mails.map((mail) => (
            <MailRow key={mail.id} mail={mail} own={own} onChange={reload} />
          ))}
        </ul>
      )}
      {maySchedule() && !isOpen && (
        <div>
          <Button icon="plus" onClick={() => setOpen(true)}>
            Schedule a mail
          </Button>
        </div>
      )}
      {maySchedule() && isOpen && (
        <ScheduledMailForm
          title="Schedule a mail"
          button="Schedule it"
          values={NEW_MAIL}
          own={own}
          onSave={create}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

interface RowProps {
  mail: ScheduledMail
  own: readonly SavedSearch[]
  onChange(): void
}

function MailRow({ mail, own, onChange }: RowProps) {
  const [open, setOpen] = useState<'preview' | 'change' | 'delete'>()
  useFocusAfterRemoval()
  const close = () => setOpen(undefined)
  const { id, subject, searches, schedules } = mail
  const name = <span class="visually-hidden"> {subject}</span>
  const save = async (values: MailValues) => {
    await put('/scheduled_mail/:id', { id, ...paramsOf(values) })
    showToast({ kind: 'done', text: 'The mail is changed.' })
    close()
    onChange()
  }
  const end = async () => {
    await showResult(() => remove('/scheduled_mail/:id', { id }), 'The mail is deleted.', onChange)
    close()
  }
  return (
    <li class="stack">
      <div class="search-row">
        <Icon name="clock" />
        <div class="grow break-anywhere">
          <b dir="auto">{subject}</b>
          <div class="small" dir="auto">
            {searches.map(({ search }) => search).join(', ')}
          </div>
          {schedules.map((schedule, place) => (
            <div key={place} class="facts">
              <span>{whenInWords(schedule)}</span>
              <span>to {schedule.group === undefined ? schedule.user : `the group ${schedule.group}`}</span>
              <span>next {exactTime(schedule.next_time)}</span>
            </div>
          ))}
        </div>
        <div class="factor-buttons">
          <Button size="small" onClick={() => setOpen(open === 'preview' ? undefined : 'preview')}>
            {open === 'preview' ? 'Close the preview' : 'Preview'}
            {name}
          </Button>
          {maySchedule() && (
            <Button size="small" onClick={() => setOpen('change')}>
              Change{name}
            </Button>
          )}
          <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
            Delete{name}
          </Button>
        </div>
      </div>
      {open === 'preview' && <ScheduledPreview mail={mail} />}
      {open === 'change' && (
        <ScheduledMailForm
          title={`Change ${subject}`}
          button="Save"
          values={valuesOf(mail)}
          own={own}
          onSave={save}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <Dialog
          title={`Delete “${subject}”?`}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={() => void end()}>
                Delete the mail
              </Button>
            </>
          }
        >
          <p>It is not sent any more. Its searches stay. This cannot be undone.</p>
        </Dialog>
      )}
    </li>
  )
}
