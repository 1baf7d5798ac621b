import { shownHistory } from '../../../core/bugs/hidden-fields.ts'
import { goWith } from '../../../core/router.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { useBugStore } from '../use-bug.ts'

/** The times at which the bug changed: when it was filed, then each change and comment. */
function moments(created: string, times: readonly string[]): string[] {
  return [...new Set([created, ...times])].sort()
}

/** The bug as it was: a slider over the moments of its history. */
export function AsOf({ at, fault }: { at: string; fault: string | undefined }) {
  const store = useBugStore()
  const created = store.bug.value?.creation_time ?? at
  const all = moments(created, [
    ...shownHistory(store.history.value).map(({ when }) => when),
    ...store.comments.value.map(({ time }) => time),
  ])
  const place = Math.max(
    0,
    all.findLastIndex((moment) => moment <= at),
  )
  const to = (next: number) => {
    const moment = all[Math.min(Math.max(next, 0), all.length - 1)]
    if (moment !== undefined) goWith({ as_of: moment })
  }
  const words = new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })
  return (
    <section class="note note-warn as-of" aria-label="The bug as it was">
      <div class="row wrap">
        <b>As it was on</b>
        <input
          class="input"
          type="date"
          aria-label="Day"
          value={at.slice(0, 10)}
          min={created.slice(0, 10)}
          max={new Date().toISOString().slice(0, 10)}
          onChange={(event) =>
            event.currentTarget.value !== '' && goWith({ as_of: `${event.currentTarget.value}T23:59:59Z` })
          }
        />
        <span class="faint">{fault ?? words}</span>
        <span class="align-end row">
          <IconButton name="One change back" icon="left" size="small" onClick={() => to(place - 1)} />
          <IconButton name="One change forward" icon="right" size="small" onClick={() => to(place + 1)} />
          <Button size="small" onClick={() => goWith({ as_of: undefined }, 'push')}>
            Back to today
          </Button>
        </span>
      </div>
      <input
        class="slider"
        type="range"
        min={0}
        max={all.length - 1}
        value={place}
        aria-label="Moment of its history"
        aria-valuetext={words}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
    </section>
  )
}
