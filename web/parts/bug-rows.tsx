import { bugAddress, hrefOf } from '../core/router.ts'
import type { Bug } from '../core/server/types.ts'
import { Priority, Status } from './glyphs.tsx'
import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

/** The fields of SHORT_FIELDS in first-calls.ts. */
export type ShortBug = Pick<
  Bug,
  | 'id'
  | 'summary'
  | 'status'
  | 'is_open'
  | 'priority'
  | 'severity'
  | 'product'
  | 'component'
  | 'groups'
  | 'last_change_time'
  | 'deadline'
  | 'flags'
>

/** A short list of bugs inside of another page. */
export function BugRows({
  bugs,
  isUnread = () => false,
}: {
  bugs: readonly ShortBug[]
  isUnread?(bug: ShortBug): boolean
}) {
  return (
    <ul class="card rows">
      {bugs.map((bug) => (
        <li key={bug.id} class={classOf(bug, isUnread(bug))}>
          {isUnread(bug) && (
            <span class="dot" title="New since you looked">
              <span class="visually-hidden">New since you looked</span>
            </span>
          )}
          <Priority value={bug.priority} short />
          <span class="cell-id">{bug.id}</span>
          <Status value={bug.status} isOpen={bug.is_open} short />
          <a class="truncated" href={hrefOf(bugAddress(bug.id))} dir="auto">
            {bug.summary}
          </a>
          {bug.groups.length > 0 && (
            <span class="secret" title={`Only for ${bug.groups.join(', ')}`}>
              <Icon name="lock" size="small" />
              <span class="visually-hidden">Not public</span>
            </span>
          )}
          <span class="align-end faint small truncated only-wide bug-row-component">{bug.component}</span>
          <span class="faint small nowrap bug-row-time">
            <Time at={bug.last_change_time} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function classOf({ is_open: isOpen }: ShortBug, isUnread: boolean) {
  return ['bug-row', !isOpen && 'is-closed', isUnread && 'is-unread'].filter(Boolean).join(' ')
}
