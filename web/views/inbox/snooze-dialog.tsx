import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'

const HOUR = 3_600_000
const MORNING = 8

interface Props {
  onClose(): void
  /** Without a time it comes back when the bug changes. */
  onChoice(until: string | undefined): void
}

/** Until when an entry stays away. */
export function SnoozeDialog({ onClose, onChoice }: Props) {
  const [day, setDay] = useState('')
  const now = new Date()
  return (
    <Dialog title="Snooze" onClose={onClose}>
      <div class="snooze-choices">
        <Button onClick={() => onChoice(new Date(now.getTime() + 3 * HOUR).toISOString())}>3 hours</Button>
        <Button onClick={() => onChoice(morningAfter(now, 1))}>Tomorrow, 8:00</Button>
        <Button onClick={() => onChoice(morningAfter(now, daysToMonday(now)))}>Monday, 8:00</Button>
        <Button onClick={() => onChoice(undefined)}>When it changes</Button>
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          if (day !== '') onChoice(new Date(`${day}T08:00:00`).toISOString())
        }}
      >
        <label class="field grow">
          <span class="field-label">Until a day, 8:00</span>
          <input
            class="input"
            type="date"
            required
            min={localDay(morning(now, 1))}
            max={localDay(morning(now, 365))}
            value={day}
            onInput={(event) => setDay(event.currentTarget.value)}
          />
        </label>
        <Button type="submit" kind="primary">
          Snooze
        </Button>
      </form>
    </Dialog>
  )
}

/** Always in the future. */
function daysToMonday(now: Date) {
  return (8 - now.getDay()) % 7 || 7
}

function morning(now: Date, days: number) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
}

function morningAfter(now: Date, days: number) {
  return morning(now, days).toISOString()
}

function localDay(at: Date) {
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
}
