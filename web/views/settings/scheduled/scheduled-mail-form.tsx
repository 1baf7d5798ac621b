import { useState } from 'preact/hooks'
import { DAYS, TIMES } from '../../../core/bugs/mail-times.ts'
import type { SavedSearch } from '../../../core/bugs/saved-searches.ts'
import { Button } from '../../../parts/button.tsx'
import { Field, SelectField, TextField } from '../../../parts/field.tsx'
import { FormEnd } from '../../../parts/form-end.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { type MailValues, mayScheduleForOthers, NEW_SCHEDULE, type ScheduleValues } from './scheduled-mail.ts'

interface Props {
  title: string
  button: string
  values: MailValues
  /** The reader's saved searches. */
  own: readonly SavedSearch[]
  onSave(values: MailValues): Promise<void>
  onClose(): void
}

export function ScheduledMailForm({ title, button, values: first, own, onSave, onClose }: Props) {
  const [values, setValues] = useState(first)
  const change = (part: Partial<MailValues>) => setValues({ ...values, ...part })
  const { submit, isBusy, fault } = useSubmit(() => onSave(values))
  const { searches, schedules } = values
  return (
    <form class="card stack recovery" aria-label={title} onSubmit={submit}>
      <TextField label="Subject" value={values.subject} onText={(subject) => change({ subject })} isNeeded isFocused />
      <Field label="Text before the lists">
        {({ id }) => (
          <textarea
            id={id}
            class="input"
            rows={3}
            value={values.body}
            onInput={(event) => change({ body: event.currentTarget.value })}
          />
        )}
      </Field>
      <Searches searches={searches} own={own} onChange={(next) => change({ searches: next })} />
      {schedules.map((schedule, place) => (
        <ScheduleFields
          key={place}
          schedule={schedule}
          number={schedules.length > 1 ? place + 1 : undefined}
          onChange={(next) => change({ schedules: schedules.with(place, next) })}
          onRemove={() => change({ schedules: schedules.toSpliced(place, 1) })}
        />
      ))}
      <div>
        <Button size="small" icon="plus" onClick={() => change({ schedules: [...schedules, NEW_SCHEDULE] })}>
          Another time
        </Button>
      </div>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={values.mail_if_no_bugs}
          onChange={() => change({ mail_if_no_bugs: !values.mail_if_no_bugs })}
        />
        Also if no bug is found
      </label>
      <FormEnd
        {...{ fault, isBusy, onClose }}
        action={button}
        unavailable={searches.length === 0 ? 'Choose a search first' : undefined}
      />
    </form>
  )
}

interface SearchesProps {
  searches: MailValues['searches']
  own: readonly SavedSearch[]
  onChange(searches: MailValues['searches']): void
}

function Searches({ searches, own, onChange }: SearchesProps) {
  const isChosen = (name: string) => searches.some(({ search }) => search === name)
  const toggle = (name: string) =>
    onChange(
      isChosen(name)
        ? searches.filter(({ search }) => search !== name)
        : [...searches, { search: name, title: '', one_mail_per_bug: false }],
    )
  return (
    <fieldset class="stack rights">
      <legend class="label">Searches</legend>
      {own.length === 0 && <p class="muted">Save a search first.</p>}
      {own.map(({ id, name }) => (
        <label key={id} class="checkbox-label">
          <input class="checkbox" type="checkbox" checked={isChosen(name)} onChange={() => toggle(name)} />
          <span dir="auto">{name}</span>
        </label>
      ))}
      {searches.map((it, place) => (
        <label key={it.search} class="checkbox-label">
          <input
            class="checkbox"
            type="checkbox"
            checked={it.one_mail_per_bug}
            onChange={() => onChange(searches.with(place, { ...it, one_mail_per_bug: !it.one_mail_per_bug }))}
          />
          <span>
            A mail for each bug of “<bdi>{it.search}</bdi>”
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface ScheduleProps {
  schedule: ScheduleValues
  number: number | undefined
  onChange(schedule: ScheduleValues): void
  onRemove(): void
}

function ScheduleFields({ schedule, number, onChange, onRemove }: ScheduleProps) {
  const { day, time, user, group } = schedule
  const isForOthers = mayScheduleForOthers()
  return (
    <fieldset class="stack rights">
      <legend class="label">{number === undefined ? 'When' : `When, ${number}`}</legend>
      <SelectField label="Day" value={day} options={DAYS} onChoice={(next) => onChange({ ...schedule, day: next })} />
      <SelectField
        label="Time"
        value={time}
        options={TIMES}
        onChoice={(next) => onChange({ ...schedule, time: next })}
      />
      {isForOthers && group === '' && (
        <TextField
          label="To the user"
          value={user}
          onText={(next) => onChange({ ...schedule, user: next })}
          hint="Login name; yourself if empty."
        />
      )}
      {isForOthers && user === '' && (
        <TextField
          label="To the group"
          value={group}
          onText={(next) => onChange({ ...schedule, group: next })}
          hint="Everybody in it. Each gets only bugs that they may see."
        />
      )}
      {number !== undefined && (
        <div>
          <Button size="small" kind="quiet" icon="x" onClick={onRemove}>
            Remove this time
          </Button>
        </div>
      )}
    </fieldset>
  )
}
