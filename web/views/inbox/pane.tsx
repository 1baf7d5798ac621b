import { useEffect, useState } from 'preact/hooks'
import { reasonNamed } from '../../../shared/reasons.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import type { InboxEntry } from '../../core/server/types.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Reply } from '../list/preview/preview-reply.tsx'
import { EntryFacts } from './entry-facts.tsx'
import { News } from './news.tsx'
import type { Deed, Inbox } from './use-inbox.ts'

interface Props {
  inbox: Inbox
  entry: InboxEntry | undefined
  onDone(entry: InboxEntry): void
  onSnooze(entry: InboxEntry): void
  onAway(entry: InboxEntry, deed: Deed): void
  onBack(): void
}

const READ_AFTER_MILLISECONDS = 2000

/** What is new on the bug of an entry, why it is here, and room for an answer. */
export function Pane(props: Props) {
  const { entry } = props
  if (entry === undefined)
    return (
      <aside class="inbox-pane" aria-label="The entry">
        <p class="preview-body faint">
          <kbd>J</kbd> and <kbd>K</kbd> move through the list. What is new is shown here.
        </p>
      </aside>
    )
  return <Shown {...props} entry={entry} />
}

function Shown({ inbox, entry, onDone, onSnooze, onAway, onBack }: Props & { entry: InboxEntry }) {
  const { id, summary, status, resolution, product, component } = entry
  const isOpen = inbox.state === 'open'
  useReading(inbox, entry)
  return (
    <aside class="inbox-pane" aria-label={`Bug ${id}`}>
      <div class="preview-head">
        <span class="inbox-back">
          <IconButton name="Back to the list" icon="left" size="small" onClick={onBack} />
        </span>
        <span class="faint">{id}</span>
        <Status value={status} isOpen={resolution === ''} />
        <span class="muted truncated only-wide">
          {product} / {component}
        </span>
        <span class="align-end row">
          <Button size="small" icon="check" shortcut="e" onClick={() => onDone(entry)}>
            {isOpen ? 'Done' : 'Back'}
          </Button>
          <Button kind="quiet" size="small" icon="clock" shortcut="s" onClick={() => onSnooze(entry)}>
            Snooze
          </Button>
          <Button kind="quiet" size="small" shortcut="u" onClick={() => inbox.setUnread(entry, true)}>
            Unread
          </Button>
          <a class="icon-button icon-button-small" href={hrefOf(bugAddress(id))} aria-label={`Open bug ${id}`}>
            <Icon name="out" />
          </a>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section class="preview-body" tabIndex={0} aria-label={`What is new on bug ${id}`}>
        <h2 class="preview-title" dir="auto">
          {summary}
        </h2>
        <EntryFacts id={id} />
        <Why entry={entry} onMute={() => onAway(entry, { is_muted: true })} />
        <News entry={entry} />
      </section>
      <Answer key={id} entry={entry} onAnswered={(isDone) => isDone && isOpen && onDone(entry)} />
    </aside>
  )
}

/** Two seconds before the reader's eyes are reading. */
function useReading(inbox: Inbox, entry: InboxEntry) {
  const [isRead, setRead] = useState(!entry.is_unread)
  useEffect(() => {
    if (isRead) return
    const timer = setInterval(() => {
      if (document.hidden) return
      setRead(true)
      inbox.setUnread(entry, false)
    }, READ_AFTER_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isRead])
}

function Why({ entry, onMute }: { entry: InboxEntry; onMute(): void }) {
  const { requests, reminders, reasons } = entry
  const others = reasons
    .filter((name) => name !== 'asked' && name !== 'reminder')
    .map((name) => reasonNamed(name).because)
  const isAsked = requests.length > 0
  const isSaid = isAsked || reminders.length > 0
  return (
    <div class={isAsked ? 'note note-warn inbox-why' : 'note inbox-why'}>
      <Icon name={isAsked ? 'ask' : reasonNamed(reasons[0] ?? 'cc').icon} />
      <div class="grow">
        {requests.map(({ id, name, setter, setter_name }) => (
          <div key={id}>
            <b dir="auto">
              {setter_name || setter} asks you for {name}.
            </b>
          </div>
        ))}
        {reminders.map(({ id, note }) => (
          <div key={`r${id}`}>
            <b>You asked to be reminded{note === '' ? '.' : ':'}</b>{' '}
            <span dir="auto" class="inbox-note">
              {note}
            </span>
          </div>
        ))}
        {others.length > 0 &&
          (isSaid ? `It is also here because ${listed(others)}.` : `It is here because ${listed(others)}.`)}
      </div>
      <Button kind="quiet" size="small" icon="bell" onClick={onMute}>
        Mute
      </Button>
    </div>
  )
}

function listed(texts: readonly string[]) {
  return texts.length < 2 ? texts[0] : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

function Answer({ entry, onAnswered }: { entry: InboxEntry; onAnswered(isDone: boolean): void }) {
  const [isDone, setDone] = useState(true)
  return (
    <div class="inbox-answer">
      <Reply bug={entry} onSent={() => onAnswered(isDone)} />
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={isDone}
          onChange={(event) => setDone(event.currentTarget.checked)}
        />
        Mark as done after sending
      </label>
    </div>
  )
}
