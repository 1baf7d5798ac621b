import { useEffect, useRef } from 'preact/hooks'
import { REASON_GROUPS, reasonNamed } from '../../../shared/reasons.ts'
import { hrefOf } from '../../core/router.ts'
import type { InboxEntry } from '../../core/server/types.ts'
import { printedTime } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { displayValue, Status } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Avatar } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import { labelOf } from '../bug/properties/field-names.ts'
import { sourceWords } from '../bug/stream/source-words.ts'
import { byDay } from './entry-order.ts'
import type { Inbox } from './use-inbox.ts'
import { useSwipe } from './use-swipe.ts'

interface Props {
  inbox: Inbox
  entries: readonly InboxEntry[]
  current: InboxEntry | undefined
  onSelect(entry: InboxEntry): void
  onDone(entry: InboxEntry): void
  onSnooze(entry: InboxEntry): void
}

export function EntryList({ inbox, entries, current, ...deeds }: Props) {
  return (
    <section class="inbox-list" aria-label="Entries">
      {inbox.waiting > 0 && (
        <div class="inbox-waiting">
          <Button size="small" icon="up" onClick={inbox.showWaiting}>
            {inbox.waiting} new
          </Button>
        </div>
      )}
      {entries.length === 0 && <NothingHere inbox={inbox} />}
      {byDay(entries).map(([heading, own]) => (
        <section key={heading} aria-label={heading}>
          <h2 class="inbox-day">
            {heading} <span class="faint">{own.length}</span>
          </h2>
          <ul>
            {own.map((entry) => (
              <Row key={entry.id} inbox={inbox} entry={entry} isCurrent={entry === current} {...deeds} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function Row({
  inbox,
  entry,
  isCurrent,
  onSelect,
  onDone,
  onSnooze,
}: Omit<Props, 'entries' | 'current'> & {
  entry: InboxEntry
  isCurrent: boolean
}) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const awayWords = inbox.state === 'open' ? 'Done' : 'Back into the inbox'
  useSwipe(row, {
    right: { words: awayWords, run: () => onDone(entry) },
    left: { words: 'Snooze', run: () => onSnooze(entry) },
  })
  const { id, summary, status, resolution, is_unread: isUnread, last } = entry
  const classes = ['inbox-entry', isUnread && 'is-unread', isCurrent && 'is-current'].filter(Boolean).join(' ')
  return (
    <li class={classes} ref={row}>
      {isUnread && (
        <span class="dot">
          <span class="visually-hidden">Unread</span>
        </span>
      )}
      <Status value={status} isOpen={resolution === ''} short />
      <div class="grow inbox-lines">
        <div class="inbox-first">
          <a
            class="grow truncated"
            href={hrefOf(`/inbox?bug=${id}`)}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              onSelect(entry)
            }}
            dir="auto"
          >
            {summary}
          </a>
          <span class="faint">{id}</span>
          <span class="faint nowrap">
            <Time at={entry.time} />
          </span>
        </div>
        <div class="inbox-second">
          <Badge entry={entry} />
          {entry.reminders[0] !== undefined && last === undefined && (
            <span class="grow truncated muted" dir="auto">
              {entry.reminders[0].note}
            </span>
          )}
          {last !== undefined && (
            <>
              <Avatar id={last.user_id} name={last.user_name || last.user} size={16} />
              <span class="grow truncated muted" dir="auto">
                {lastWords(entry)}
              </span>
            </>
          )}
          {entry.snoozed_until !== undefined && <span class="muted">until {printedTime(entry.snoozed_until)}</span>}
          {entry.new_count > 1 && (
            <span class="count align-end">
              {entry.new_count}
              <span class="visually-hidden"> changes</span>
            </span>
          )}
        </div>
      </div>
      <Menu
        label={`What to do with bug ${id}`}
        button={<Icon name="more" />}
        buttonClass="icon-button icon-button-small inbox-more"
        at="end"
        items={[
          {
            name: awayWords,
            icon: 'check',
            note: 'E',
            run: () => onDone(entry),
          },
          { name: 'Snooze', icon: 'clock', note: 'S', run: () => onSnooze(entry) },
          {
            name: isUnread ? 'Read' : 'Unread',
            icon: 'eye',
            note: isUnread ? '' : 'U',
            run: () => inbox.setUnread(entry, !isUnread),
          },
          { name: 'Mute the bug', icon: 'bell', run: () => inbox.putAway(entry, { is_muted: true }) },
        ]}
      />
    </li>
  )
}

/** The strongest reason: with colour only if the reader is asked or mentioned. */
function Badge({ entry }: { entry: InboxEntry }) {
  const [strongest] = entry.reasons
  if (strongest === undefined) return null
  const { name, badge, icon, group } = reasonNamed(strongest)
  return (
    <span class={name === 'reminder' ? 'inbox-badge' : `inbox-badge is-${group}`}>
      <Icon name={icon} size="tiny" />
      {badge}
    </span>
  )
}

/** What was done last, in one line. */
function lastWords({ last, requests }: InboxEntry) {
  if (last === undefined) return ''
  const [first] = (last.user_name || last.user).split(' ')
  const source = sourceWords(last.source)
  const name = source === '' ? first : `${first} (${source})`
  const [request] = requests
  const text = last.comment?.split('\n').find((line) => line.trim() !== '' && !line.startsWith('>'))
  if (request !== undefined && request.setter === last.user)
    return `${name} asks for ${request.name}${text === undefined ? '' : `: ${text}`}`
  if (text !== undefined) return `${name}: ${text}`
  const [change] = last.changes
  if (change === undefined) return last.comment_count === 0 ? `${name} filed it` : `${name} commented`
  const value = change.added === '' ? `removed ${displayValue(change.removed)}` : displayValue(change.added)
  const more = last.changes.length - 1
  return `${name}: ${labelOf(change.field_name, [])} ${value}${more > 0 ? ` and ${more} more` : ''}`
}

const EMPTY = {
  asked: 'When a user asks you for a review or an answer, or you asked to be reminded, it is here.',
  assigned: 'Changes of the bugs that are assigned to you, or of which you are QA contact, are here.',
  mentioned: 'Comments that mention you are here.',
  followed: 'Changes of the bugs that you reported or follow are here.',
  watched: 'Changes of what you watch are here.',
  rule: 'What a rule sends to you is here.',
} as const

function NothingHere({ inbox }: { inbox: Inbox }) {
  const { state, reason, counts } = inbox
  const group = REASON_GROUPS.find(({ name }) => name === reason)?.name
  if (group !== undefined) return <p class="empty-line">{EMPTY[group]}</p>
  if (state === 'snoozed') return <p class="empty-line">What you snooze waits here until its time.</p>
  if (state === 'done') return <p class="empty-line">What you have dealt with is here, until it is forgotten.</p>
  return (
    <div class="empty inbox-empty">
      <Icon name="check" />
      <h2>Nothing needs you now</h2>
      <p class="muted">
        {counts.done > 0 && (
          <>
            <a class="link" href={hrefOf('/inbox?state=done')}>
              {counts.done.toLocaleString()} done
            </a>
            .{' '}
          </>
        )}
        {counts.snoozed > 0 && (
          <>
            <a class="link" href={hrefOf('/inbox?state=snoozed')}>
              {counts.snoozed.toLocaleString()} snoozed
            </a>{' '}
            will come back.
          </>
        )}
      </p>
      <a class="button" href={hrefOf('/bugs?assigned_to=%25user%25&status=__open__')}>
        Your open bugs
      </a>
    </div>
  )
}
