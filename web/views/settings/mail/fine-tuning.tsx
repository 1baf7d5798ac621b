import { useState } from 'preact/hooks'
import {
  DEFAULT_MATRIX,
  MAIL_CHOICES,
  MAIL_FLAG_EVENTS,
  type MailChoice,
  type MailFlagEvent,
  type MailMatrix,
  type MailPreset,
  type MailRole,
  PRESET_MATRIX,
} from '../../../../shared/mail-preferences.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { type Box, differences, isOn } from './mail-choices.ts'
import { PRESET_WORDS } from './presets.tsx'

const ROLE_WORDS: Readonly<Record<MailRole, string>> = {
  assigned_to: 'Assignee',
  qa_contact: 'QA contact',
  reporter: 'Reporter',
  cc: 'On CC',
  voter: 'Voter',
  watched_component: 'Watching it',
}

const CHOICE_WORDS: Readonly<Record<MailChoice | MailFlagEvent, string>> = {
  requested: 'Somebody asks me',
  answered: 'Somebody answers me',
  mentioned: 'Somebody mentions me',
  role: 'I gain or lose the role',
  created: 'The bug is filed',
  comment: 'New comment',
  attachment: 'New attachment',
  attachment_data: 'Changed attachment',
  progress: 'Status, priority, severity, milestone',
  resolution: 'Resolution',
  dependencies: 'Dependencies',
  keywords: 'Keywords',
  cc: 'CC list',
  component: 'Product or component',
  other: 'Any other change',
  unconfirmed: 'Also while unconfirmed',
  own_changes: 'Also my own changes',
}

interface Props {
  matrix: MailMatrix
  roles: readonly MailRole[]
  preset: MailPreset
  onToggle(box: Box): void
  onReset(): void
}

/** Which event sends mail in which role. Framed boxes differ from the preset. */
export function FineTuning({ matrix, roles, preset, onToggle, onReset }: Props) {
  const count = differences(matrix, PRESET_MATRIX[preset], roles).length
  const isDefault = differences(matrix, DEFAULT_MATRIX, roles).length === 0
  return (
    <div class="mail-tuning card">
      <details>
        <summary>
          <Icon name="right" />
          <b>Fine tuning</b>
          {count > 0 && (
            <span class="muted">
              {count} {count === 1 ? 'difference' : 'differences'} from “{PRESET_WORDS[preset].name}”
              {isDefault && ', as in every new account'}
            </span>
          )}
        </summary>
        <Matrix {...{ matrix, roles, preset, onToggle }} />
        <p class="hint">
          A framed box differs from the preset. Arrow keys move between the boxes. There is never mail about bugs that
          you may not see.
        </p>
      </details>
      {count > 0 && (
        <Button size="small" kind="quiet" icon="undo" onClick={onReset}>
          Back to the preset
        </Button>
      )}
    </div>
  )
}

const ORDER = Object.keys(CHOICE_WORDS).filter((what): what is MailChoice =>
  (MAIL_CHOICES as readonly string[]).includes(what),
)

function Matrix({ matrix, roles, preset, onToggle }: Omit<Props, 'onReset'>) {
  /** Only one box is reached with Tab, the others with arrows. */
  const [place, setPlace] = useState({ row: 0, column: 0 })
  const rows: readonly Box[][] = [
    ...MAIL_FLAG_EVENTS.map((what): Box[] => [{ role: 'flags', what }]),
    ...ORDER.map((what) => roles.map((role): Box => ({ role, what }))),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const row = Math.min(Math.max(place.row + step[0], 0), rows.length - 1)
    const column = Math.min(Math.max(place.column + step[1], 0), (rows[row]?.length ?? 1) - 1)
    setPlace({ row, column })
    const table = event.currentTarget as HTMLElement
    table.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`)?.focus()
  }
  return (
    <table class="mail-matrix" onKeyDown={onKeyDown}>
      <thead>
        <tr>
          <th class="faint">If I am…</th>
          {roles.map((role) => (
            <th key={role} scope="col">
              {ROLE_WORDS[role]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((boxes, row) => (
          <tr key={boxes[0]?.what}>
            <th scope="row">{CHOICE_WORDS[boxes[0]?.what ?? 'other']}</th>
            {boxes.map((box, column) => (
              <td key={box.role} colSpan={box.role === 'flags' ? roles.length : 1}>
                <label
                  class={isOn(matrix, box) === isOn(PRESET_MATRIX[preset], box) ? 'mail-box' : 'mail-box is-different'}
                >
                  <input
                    class="checkbox"
                    type="checkbox"
                    aria-label={nameOfBox(box)}
                    data-place={`${row} ${column}`}
                    tabIndex={place.row === row && place.column === column ? 0 : -1}
                    checked={isOn(matrix, box)}
                    onFocus={() => setPlace({ row, column })}
                    onChange={() => onToggle(box)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

function nameOfBox({ role, what }: Box) {
  return role === 'flags' ? CHOICE_WORDS[what] : `${ROLE_WORDS[role]}: ${CHOICE_WORDS[what]}`
}
