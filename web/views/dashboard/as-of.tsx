import { goWith, query } from '../../core/router.ts'
import { Button } from '../../parts/button.tsx'
import { dayInWords } from '../reports/axis-days.ts'

const WEEK_MILLISECONDS = 7 * 86_400_000
const MOST_WEEKS = 52

function dayOf(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}

/** The day that all tiles are about; empty for today. It is in the address. */
export function asOfDay() {
  const day = query.value.get('as_of') ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) && day < dayOf(Date.now()) ? day : ''
}

/** One day for all tiles: a field, and a slider that goes back by weeks. */
export function AsOf() {
  const today = dayOf(Date.now())
  const day = asOfDay()
  const choose = (next: string) => goWith({ as_of: next === '' || next >= today ? undefined : next })
  const weeks = day === '' ? 0 : Math.round((Date.parse(today) - Date.parse(day)) / WEEK_MILLISECONDS)
  return (
    <div class="card dashboard-as-of" role="group" aria-label="As of">
      <span class="muted" aria-hidden="true">
        As of
      </span>
      <input
        type="date"
        class="input"
        aria-label="As of the day"
        max={today}
        value={day || today}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <input
        type="range"
        aria-label="As of, by weeks"
        aria-valuetext={day === '' ? `${dayInWords(today)}, today` : dayInWords(day)}
        min={-MOST_WEEKS}
        max={0}
        value={-Math.min(weeks, MOST_WEEKS)}
        onChange={({ currentTarget: { value } }) =>
          choose(dayOf(Date.parse(today) + Number(value) * WEEK_MILLISECONDS))
        }
      />
      <Button size="small" kind="quiet" unavailable={day === '' ? 'It is today' : undefined} onClick={() => choose('')}>
        Today
      </Button>
    </div>
  )
}
