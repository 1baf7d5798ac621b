import { MAIL_PRESETS, type MailPreset } from '../../../../shared/mail-preferences.ts'

export const PRESET_WORDS: Readonly<Record<MailPreset, { name: string; about: string }>> = {
  everything: { name: 'Everything', about: 'Each change of bugs you have to do with, your own changes too' },
  concerns_me: { name: 'What concerns me', about: 'Requests, assignments, comments and status of your bugs' },
  requests: { name: 'Only requests', about: 'When somebody waits for your answer, or answers you' },
  nothing: { name: 'Nothing', about: 'Only mail about your account, such as a new password' },
}

interface Props {
  chosen: MailPreset
  preview: { presets: Readonly<Record<MailPreset, number>>; at_least: boolean } | undefined
  onChoice(preset: MailPreset): void
}

/** What each preset sends, and how much that was in the last week. */
export function Presets({ chosen, preview, onChoice }: Props) {
  return (
    <fieldset class="mail-presets">
      <legend class="visually-hidden">What to get by mail</legend>
      {MAIL_PRESETS.map((preset) => (
        <label key={preset} class={preset === chosen ? 'mail-preset is-chosen' : 'mail-preset'}>
          <input
            class="checkbox"
            type="radio"
            name="mail-preset"
            checked={preset === chosen}
            onChange={() => onChoice(preset)}
          />
          <span class="mail-preset-words">
            <b>{PRESET_WORDS[preset].name}</b>
            <span class="muted">{PRESET_WORDS[preset].about}</span>
          </span>
          <span class="mail-preset-count">
            {preview !== undefined && (
              <>
                <b>
                  {preview.presets[preset]}
                  {preview.at_least && preview.presets[preset] > 0 && '+'}
                </b>{' '}
                <span class="small">last week</span>
              </>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
