import { SelectField } from '../../../parts/field.tsx'
import type { MailChange, MailSettings } from './use-mail-settings.ts'

const FORMATS = [
  { value: 'html', name: 'HTML, with plain text beside it' },
  { value: 'text_only', name: 'Plain text only' },
]

/** How messages look. */
export function MailForm({
  settings: { email_format, new_prefix },
  onChange,
}: {
  settings: MailSettings
  onChange(change: MailChange): void
}) {
  const format = (next: string) => {
    if (next !== 'html' && next !== 'text_only') return
    onChange({
      params: { email_format: next },
      undo: { email_format },
      shown: { email_format: next },
      done: 'Saved.',
    })
  }
  return (
    <section class="stack" aria-label="Format">
      <h2>Format</h2>
      <SelectField label="Messages are" value={email_format} options={FORMATS} onChoice={format} />
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={new_prefix}
          onChange={() =>
            onChange({
              params: { new_prefix: !new_prefix },
              undo: { new_prefix },
              shown: { new_prefix: !new_prefix },
              done: 'Saved.',
            })
          }
        />
        The subject of mail about a new bug says “New”
      </label>
    </section>
  )
}
