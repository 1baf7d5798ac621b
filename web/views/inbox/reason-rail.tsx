import { hrefOf } from '../../core/router.ts'
import { Icon } from '../../parts/icon.tsx'
import { SHOWN_REASONS } from './shown-reasons.ts'
import type { Inbox } from './use-inbox.ts'

/** The reasons with how much each has, and what was put away. On a phone it is a row. */
export function ReasonRail({ inbox }: { inbox: Inbox }) {
  const { counts, state, reason } = inbox
  const isOpen = state === 'open'
  return (
    <nav class="inbox-rail" aria-label="Reasons">
      <div class="menu-heading">Why it is here</div>
      <Entry address="/inbox" icon="inbox" title="Everything" count={counts.open} isCurrent={isOpen && !reason} />
      {SHOWN_REASONS.map(({ name, title, icon }) => (
        <Entry
          key={name}
          address={`/inbox?reason=${name}`}
          icon={icon}
          title={title}
          count={counts.reasons[name]}
          isCurrent={isOpen && reason === name}
        />
      ))}
      <div class="menu-heading">Put away</div>
      <Entry
        address="/inbox?state=snoozed"
        icon="clock"
        title="Snoozed"
        count={counts.snoozed}
        isCurrent={state === 'snoozed'}
      />
      <Entry address="/inbox?state=done" icon="check" title="Done" count={counts.done} isCurrent={state === 'done'} />
    </nav>
  )
}

interface EntryProps {
  address: string
  icon: string
  title: string
  count: number
  isCurrent: boolean
}

function Entry({ address, icon, title, count, isCurrent }: EntryProps) {
  return (
    <a href={hrefOf(address)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="grow truncated">{title}</span>
      {count > 0 && <span class="faint">{count.toLocaleString()}</span>}
    </a>
  )
}
