import { useEffect, useState } from 'preact/hooks'
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import { reasonNamed } from '../../../shared/reasons.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { addPeople, loadPeople, personBy } from '../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import type { Comment, HistoryEntry, InboxEntry } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { printedTime } from '../../core/times.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { WrittenText } from '../../parts/text/written-text.tsx'
import { Time } from '../../parts/time.tsx'
import { ChangeWords, worthShowing } from '../bug/stream/changes.tsx'
import { Reply } from '../list/preview/preview-reply.tsx'
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

const FIELDS = 'id,count,text,time,creator,creator_detail,is_private,is_markdown'

/** What others wrote and changed since the reader last read it; if nothing is new, the last comment. */
function News({ entry }: { entry: InboxEntry }) {
  const { id } = entry
  // What is read stays before the reader's eyes.
  const [since] = useState(entry.new_since)
  const before = since === undefined ? undefined : new Date(Date.parse(since) - 1000).toISOString()
  const { body } = useData(
    before === undefined
      ? addressOf('/bug/:ref/comment', { ref: id, newest: 1, include_fields: FIELDS })
      : addressOf('/bug/:ref/comment', { ref: id, new_since: before, include_fields: FIELDS }),
  )
  const { body: changed } = useData(
    before === undefined ? undefined : addressOf('/bug/:ref/history', { ref: id, new_since: before }),
  )
  const own = me.value?.name
  const isNews = (who: string) => since === undefined || who !== own
  const comments = (body?.bugs[id]?.comments ?? []).filter(({ text, creator }) => text !== '' && isNews(creator))
  const changes = (changed?.bugs[0]?.history ?? []).filter(({ who }) => isNews(who))
  useEffect(() => {
    addPeople([me.value])
    void loadPeople(changes.map(({ who }) => who))
  }, [changed])
  const items = [
    ...comments.map((comment) => ({ at: comment.time, comment, change: undefined })),
    ...changes.map((change) => ({ at: change.when, comment: undefined, change })),
  ].sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  const first = comments[0]?.count ?? 0
  return (
    <>
      {since !== undefined && (
        <div class="unread-line">
          <span>
            New since <time dateTime={since}>{printedTime(since)}</time>
          </span>
        </div>
      )}
      {items.map(({ comment, change }) =>
        comment !== undefined ? (
          <NewComment key={`c${comment.id}`} comment={comment} bug={id} />
        ) : (
          <NewChange key={`h${change.when} ${change.who}`} change={change} />
        ),
      )}
      {first > 0 && (
        <p>
          <a class="link small" href={hrefOf(bugAddress(id))}>
            All of bug {id}
          </a>
        </p>
      )}
    </>
  )
}

type ShownComment = Omit<Comment, 'bug_id' | 'attachment_id' | 'creation_time' | 'tags'>

function NewComment({ comment, bug }: { comment: ShownComment; bug: number }) {
  const person = comment.creator_detail ?? personBy(comment.creator)
  return (
    <article class={comment.is_private ? 'preview-comment is-private' : 'preview-comment'}>
      <div class="row">
        <Avatar id={person.id} name={nameOf(person)} />
        <b dir="auto">{nameOf(person)}</b>
        <span class="faint small">
          <Time at={comment.time} />
        </span>
        <a class="align-end faint small" href={hrefOf(`${bugAddress(bug)}#c${comment.count}`)}>
          #c{comment.count}
        </a>
      </div>
      <div class="prose preview-text" dir="auto">
        <WrittenText text={comment.text} isMarkdown={comment.is_markdown ?? false} bugId={bug} />
      </div>
    </article>
  )
}

function NewChange({ change }: { change: HistoryEntry }) {
  const fields = useData(FIELDS_CALL).body?.fields ?? []
  const { when, who } = change
  return (
    <div class="change inbox-change">
      <Icon name="history" />
      <div>
        <b dir="auto">{nameOf(personBy(who))}</b>{' '}
        {worthShowing(change).map((one, place) => (
          <span key={place}>
            {place > 0 && ', '}
            <ChangeWords change={one} fields={fields} />
          </span>
        ))}{' '}
        <span class="faint small">
          <Time at={when} />
        </span>
      </div>
    </div>
  )
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
