import type { Change } from '../changes/change-draft.ts'
import { OldValue } from '../changes/changed-value.tsx'
import { loginsIn } from './product-state.ts'

interface WatchersProps {
  name: string
  saved: string
  change: Change | undefined
  onWatch(): void
}

/** How many get mail about its new bugs, and who. */
export function Watchers({ name, saved, change, onWatch }: WatchersProps) {
  const logins = change?.after ?? saved
  return (
    <>
      <button
        type="button"
        class="button button-small button-quiet"
        title={logins === '' ? undefined : logins}
        onClick={onWatch}
      >
        {loginsIn(logins).length || 'nobody'}
        <span class="visually-hidden"> watch {name}: change</span>
      </button>{' '}
      <OldValue change={change} />
    </>
  )
}
