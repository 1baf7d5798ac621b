import { timeZone } from '../../../core/times.ts'
import { SelectField } from '../../../parts/field.tsx'
import type { MailChange, MailSettings } from './use-mail-settings.ts'

type Times = MailSettings['times']

const CLOCKS = Array.from({ length: 48 }, (_, count) => {
  const text = `${String(Math.floor(count / 2)).padStart(2, '0')}:${count % 2 === 0 ? '00' : '30'}`
  return { value: text, name: text }
})
const UNSEEN = 15

interface Props {
  settings: MailSettings
  onChange(change: MailChange): void
}

/** When mail comes: at once, in a daily digest, after quiet hours, or only if it was not seen here. */
export function MailWhen({ settings: { times }, onChange }: Props) {
  const zone = timeZone.value ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const save = (part: Partial<Times>) => {
    const before = Object.fromEntries(Object.keys(part).map((name) => [name, times[name as keyof Times]]))
    onChange({
      params: { times: { ...part, time_zone: zone } },
      undo: { times: { ...before, time_zone: times.time_zone } },
      shown: { times: { ...times, ...part, time_zone: zone } },
      done: 'Saved.',
    })
  }
  const isQuiet = times.quiet_from !== null && times.quiet_to !== null
  return (
    <section class="stack" aria-label="When" id="when">
      <h2>When</h2>
      <p>{sentenceOf(times)}</p>
      <Choice
        name="Daily digest: one mail with all but requests"
        isOn={times.digest_at !== null}
        onToggle={(isOn) => save({ digest_at: isOn ? '08:30' : null })}
      />
      {times.digest_at !== null && (
        <Clock label="The digest comes at" value={times.digest_at} onChoice={(digest_at) => save({ digest_at })} />
      )}
      <Choice
        name="Quiet hours: mail waits until they end"
        isOn={isQuiet}
        onToggle={(isOn) => save({ quiet_from: isOn ? '19:00' : null, quiet_to: isOn ? '07:30' : null })}
      />
      {isQuiet && (
        <>
          <Clock label="Quiet from" value={times.quiet_from} onChoice={(quiet_from) => save({ quiet_from })} />
          <Clock label="Quiet until" value={times.quiet_to} onChoice={(quiet_to) => save({ quiet_to })} />
        </>
      )}
      <Choice
        name="Quiet weekends: Saturday and Sunday"
        isOn={times.quiet_weekends}
        onToggle={(isOn) => save({ quiet_weekends: isOn })}
      />
      <Choice
        name={`Only what I have not seen here after ${times.unseen_minutes || UNSEEN} minutes`}
        isOn={times.unseen_minutes > 0}
        onToggle={(isOn) => save({ unseen_minutes: isOn ? UNSEEN : 0 })}
      />
      <p class="hint">Mail about your account, such as a new password, never waits.</p>
    </section>
  )
}

function Choice({ name, isOn, onToggle }: { name: string; isOn: boolean; onToggle(isOn: boolean): void }) {
  return (
    <label class="checkbox-label">
      <input class="checkbox" type="checkbox" checked={isOn} onChange={() => onToggle(!isOn)} />
      {name}
    </label>
  )
}

interface ClockProps {
  label: string
  value: string | null
  onChoice(value: string): void
}

function Clock({ label, value, onChoice }: ClockProps) {
  const own = value ?? ''
  const options = CLOCKS.some((it) => it.value === own) ? CLOCKS : [{ value: own, name: own }, ...CLOCKS]
  return <SelectField label={label} value={own} options={options} onChoice={onChoice} />
}

/** What the times mean now, in words. */
export function sentenceOf(times: Times): string {
  const { digest_at, quiet_from, quiet_to, quiet_weekends, unseen_minutes } = times
  const parts = [
    digest_at === null ? '' : `in one mail a day at ${digest_at}, requests at once`,
    quiet_from === null || quiet_to === null ? '' : `not from ${quiet_from} to ${quiet_to}`,
    quiet_weekends ? 'not on weekends' : '',
    unseen_minutes === 0 ? '' : `only if you have not seen it here within ${unseen_minutes} minutes`,
  ].filter((part) => part !== '')
  return parts.length === 0
    ? 'Mail comes at once, at any time.'
    : `Mail comes ${parts.join(', ')} (${times.time_zone.replaceAll('_', ' ')}).`
}
