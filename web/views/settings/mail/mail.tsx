import { useState } from 'preact/hooks'
import { MAIL_ROLES, type MailMatrix, type MailPreset, PRESET_MATRIX } from '../../../../shared/mail-preferences.ts'
import { parameters } from '../../../core/account/session.ts'
import type { Me } from '../../../core/server/types.ts'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { FilingAddress } from './filing-address.tsx'
import { FineTuning } from './fine-tuning.tsx'
import { type Box, differences, isOn, nearestPreset, sentencesOf, withBox } from './mail-choices.ts'
import { MailForm } from './mail-form.tsx'
import { IgnoredBugs, WatchedPeople } from './mail-lists.tsx'
import { MailWhen } from './mail-when.tsx'
import { PRESET_WORDS, Presets } from './presets.tsx'
import { Reminders } from './reminders.tsx'
import { RequestChoices } from './request-choices.tsx'
import { type MailPreview, useMailSettings } from './use-mail-settings.ts'
import { WatchedPlaces } from './watched-places.tsx'

/** What reaches the reader by mail. Every change is saved at once. */
export function Mail({ who }: { who: Me }) {
  const { settings, preview, change } = useMailSettings(who)
  const [chosen, setChosen] = useState<MailPreset>()
  const { body } = settings
  if (body === undefined)
    return settings.fault === undefined ? <Skeleton /> : <Refused fault={settings.fault} retry={settings.reload} />
  const roles = MAIL_ROLES.filter((role) => role !== 'qa_contact' || parameters.value.useqacontact === '1')
  const matrix = body.preferences
  const preset = chosen ?? nearestPreset(matrix, roles)
  const choose = (next: MailPreset) => {
    setChosen(next)
    save(PRESET_MATRIX[next], `You get: ${PRESET_WORDS[next].name}.`)
  }
  const save = (next: MailMatrix, done: string) => {
    if (differences(next, matrix, MAIL_ROLES).length === 0) return
    const restore = () => setChosen(chosen)
    change({
      params: { preferences: next },
      undo: { preferences: matrix },
      shown: { preferences: next },
      restore,
      done,
    })
  }
  const toggle = (box: Box) => {
    setChosen(preset)
    const isWanted = !isOn(matrix, box)
    const only = (value: boolean) => ({ preferences: { [box.role]: { [box.what]: value } } })
    const shown = { preferences: withBox(matrix, box, isWanted) }
    change({ params: only(isWanted), undo: only(!isWanted), shown, done: 'Saved.' })
  }
  return (
    <>
      <div class="mail-sentence">
        <p>{sentencesOf(matrix, roles).join(' ')}</p>
        <p class="muted">{preview.body !== undefined && <LastWeek preview={preview.body} />}</p>
      </div>
      <Presets chosen={preset} preview={preview.body} onChoice={choose} />
      <FineTuning
        matrix={matrix}
        roles={roles}
        preset={preset}
        onToggle={toggle}
        onReset={() => save(PRESET_MATRIX[preset], `Back to “${PRESET_WORDS[preset].name}”.`)}
      />
      <div class="mail-columns">
        <MailWhen settings={body} onChange={change} />
        <WatchedPlaces />
        <WatchedPeople settings={body} onChange={change} />
        <IgnoredBugs settings={body} onChange={change} />
        <MailForm settings={body} onChange={change} />
        <RequestChoices who={who} />
        <Reminders />
        <FilingAddress who={who} />
      </div>
      <p class="muted small">Every choice here is saved at once.</p>
    </>
  )
}

function LastWeek({ preview: { present, at_least, email_enabled } }: { preview: MailPreview }) {
  if (!email_enabled) return <>An administrator has switched off mail about bugs for your account.</>
  return (
    <>
      Last week this would have sent{' '}
      <b>
        {at_least && 'at least '}
        {present} {present === 1 ? 'mail' : 'mails'}
      </b>
      .
    </>
  )
}
