import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { me } from '../core/account/session.ts'
import { useKeys } from '../core/keys.ts'
import { bugAddress, go, goWith, hrefOf, query } from '../core/router.ts'
import type { InboxEntry } from '../core/server/types.ts'
import { useTitle } from '../core/title.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { WaitingProposals } from '../parts/proposals/waiting-proposals.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { EntryList } from './inbox/entry-list.tsx'
import { inOrder } from './inbox/entry-order.ts'
import { Pane } from './inbox/pane.tsx'
import { ReasonRail } from './inbox/reason-rail.tsx'
import { SHOWN_REASONS } from './inbox/shown-reasons.ts'
import { SnoozeDialog } from './inbox/snooze-dialog.tsx'
import { type Inbox, useInbox } from './inbox/use-inbox.ts'

export function View() {
  useTitle('Inbox')
  if (me.value === undefined)
    return (
      <main id="main" class="page">
        <h1>Inbox</h1>
        <Empty icon="inbox" title="Log in to see what needs you">
          <a class="button button-primary" href={hrefOf('/login?to=/inbox')}>
            Log in
          </a>
        </Empty>
      </main>
    )
  return <OwnInbox />
}

function OwnInbox() {
  const inbox = useInbox()
  if (inbox.fault !== undefined && inbox.entries === undefined)
    return <RefusedPage fault={inbox.fault} retry={inbox.reload} />
  if (inbox.entries === undefined) return <LoadingPage />
  return <Shown inbox={inbox} entries={inOrder(inbox.entries)} />
}

function Shown({ inbox, entries }: { inbox: Inbox; entries: readonly InboxEntry[] }) {
  const [snoozing, setSnoozing] = useState<InboxEntry>()
  const bug = Number(query.value.get('bug') ?? 0)
  const entry = entries.find(({ id }) => id === bug)
  const select = (next: InboxEntry | undefined) => goWith({ bug: next === undefined ? undefined : String(next.id) })
  const at = entry === undefined ? -1 : entries.indexOf(entry)
  const move = (step: 1 | -1) => {
    const next = entries[at === -1 ? 0 : at + step]
    if (next !== undefined) select(next)
  }
  /** Who worked in the pane of an entry that goes away goes on in that of the next one. */
  const isPaneLeft = useRef(false)
  useLayoutEffect(() => {
    if (isPaneLeft.current) document.querySelector<HTMLElement>('.inbox-pane section')?.focus()
    isPaneLeft.current = false
  }, [entry?.id])
  /** The next entry takes the place of one that goes away. */
  const away = (which: InboxEntry, deed: Parameters<Inbox['putAway']>[1]) => {
    const place = entries.indexOf(which)
    if (which.id === bug) {
      isPaneLeft.current = document.activeElement?.closest('.inbox-pane, dialog') != null
      select(entries[place + 1] ?? entries[place - 1])
    }
    inbox.putAway(which, deed)
  }
  const done = (which: InboxEntry) => away(which, { state: inbox.state === 'open' ? 'done' : 'open' })
  const onEntry = (run: (which: InboxEntry) => void) => () => entry !== undefined && run(entry)
  useKeys([
    { keys: 'j', what: 'Next entry', run: () => move(1) },
    { keys: 'k', what: 'Previous entry', run: () => move(-1) },
    { keys: 'e', what: inbox.state === 'open' ? 'Done' : 'Back into the inbox', run: onEntry(done) },
    { keys: 's', what: 'Snooze', run: onEntry(setSnoozing) },
    { keys: 'u', what: 'Unread', run: onEntry((it) => inbox.setUnread(it, true)) },
    { keys: 'r', what: 'Answer', run: () => document.querySelector<HTMLElement>('.inbox-pane textarea')?.focus() },
    { keys: 'Enter', what: 'Open the bug', run: onEntry((it) => go(bugAddress(it.id))) },
    { keys: 'E', what: 'All of this are done', run: inbox.allDone },
    ...SHOWN_REASONS.map(({ name, title, key }) => ({
      keys: key,
      what: `Only: ${title}`,
      run: () => goWith({ reason: inbox.reason === name ? undefined : name, state: undefined, bug: undefined }),
    })),
  ])
  const { counts } = inbox
  return (
    <main id="main" class={entry === undefined ? 'inbox' : 'inbox has-entry'}>
      <div class="inbox-bar">
        <h1>Inbox</h1>
        <span class="faint">{counts.unread.toLocaleString()} unread</span>
        <WaitingProposals />
        <span class="faint align-end only-wide small">
          <kbd>J</kbd> <kbd>K</kbd> move, <kbd>?</kbd> all keys
        </span>
        <Menu
          label="More"
          button={<Icon name="more" />}
          at="end"
          items={[
            { name: 'All of this are done', icon: 'check', note: '⇧E', run: inbox.allDone },
            { name: 'All requests', icon: 'ask', run: () => go('/requests') },
            { name: 'Mail settings', icon: 'mail', run: () => go('/settings/mail') },
          ]}
        />
      </div>
      <div class="inbox-grid">
        <ReasonRail inbox={inbox} />
        <EntryList
          inbox={inbox}
          entries={entries}
          current={entry}
          onSelect={select}
          onDone={done}
          onSnooze={setSnoozing}
        />
        <Pane
          key={entry?.id}
          inbox={inbox}
          entry={entry}
          onDone={done}
          onSnooze={setSnoozing}
          onAway={away}
          onBack={() => select(undefined)}
        />
      </div>
      {snoozing !== undefined && (
        <SnoozeDialog
          onClose={() => setSnoozing(undefined)}
          onChoice={(until) => {
            setSnoozing(undefined)
            away(snoozing, { state: 'snoozed', ...(until !== undefined && { snoozed_until: until }) })
          }}
        />
      )}
    </main>
  )
}
