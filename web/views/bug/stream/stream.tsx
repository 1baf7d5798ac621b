import { useEffect, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { isPrinting } from '../../../core/printing.ts'
import { currentAddress, query } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { useBugStore } from '../bug-store.ts'
import { Changes } from './changes.tsx'
import { CommentArticle } from './comment.tsx'
import { foldComments, type StreamItem, streamItems } from './stream-items.ts'

/** Comments, changes and attachments, oldest first. */
export function Stream({ commentsOnly = false }: { commentsOnly?: boolean }) {
  const store = useBugStore()
  const [isOpen, setOpen] = useState(false)
  const until = store.asOf.value
  const isThen = (time: string) => until === undefined || time <= until
  const all = streamItems({
    comments: store.comments.value.filter(({ time }) => isThen(time)),
    history: commentsOnly ? [] : store.history.value.filter(({ when }) => isThen(when)),
    attachments: store.attachments.value,
    since: until === undefined ? store.lastVisit.value : undefined,
    reader: me.value?.name,
  })
  const isNewestFirst = query.value.get('order') === 'newest'
  const hash = currentAddress.value.hash
  const short = foldComments(all)
  const isHidden = /^c\d+$/.test(hash) && !short.some(({ key }) => key === hash)
  const items = isOpen || isHidden || isPrinting.value ? all : short
  useScrollTo(hash, store.bug.value?.id)
  return (
    <>
      {(isNewestFirst ? [...items].reverse() : items).map((item) => (
        <Item key={item.key} item={item} onOpen={() => setOpen(true)} />
      ))}
    </>
  )
}

function Item({ item, onOpen }: { item: StreamItem; onOpen(): void }) {
  switch (item.kind) {
    case 'comment':
      return <CommentArticle comment={item.comment} attachment={item.attachment} />
    case 'changes':
      return <Changes entries={item.entries} />
    case 'new':
      return (
        <div class="newline" id="new">
          New since {whenExactly(item.since)}
        </div>
      )
    case 'fold':
      return (
        <div class="stream-fold">
          <Button icon="down" onClick={onOpen}>
            Show {item.count.toLocaleString()}
          </Button>
        </div>
      )
  }
}

/** “Friday, 17:20” within a week, then with the day. */
function whenExactly(time: string) {
  const then = new Date(time)
  const isRecent = Date.now() - then.getTime() < 6 * 24 * 60 * 60 * 1000
  return then.toLocaleString('en-GB', {
    ...(isRecent ? { weekday: 'long' } : { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  })
}

function useScrollTo(hash: string, id: number | undefined) {
  useEffect(() => {
    if (!/^(c|a)\d+$|^new$/.test(hash)) return
    const target = document.getElementById(hash)
    target?.scrollIntoView()
    target?.focus({ preventScroll: true })
  }, [hash, id])
}

/** The last comment in one line, above the stream. */
export function Latest() {
  const { comments, lastVisit, asOf } = useBugStore()
  const last = comments.value.at(-1)
  if (last === undefined || comments.value.length < 2 || asOf.value !== undefined) return null
  const person = last.creator_detail ?? personBy(last.creator)
  const since = lastVisit.value
  const count =
    since === undefined
      ? 0
      : comments.value.filter(({ time, creator }) => time > since && creator !== me.value?.name).length
  const line = last.text.split('\n').find((text) => text.trim() !== '' && !/^(>|\(In reply)/.test(text))
  return (
    <a class="latest" href={count > 0 ? '#new' : `#c${last.count}`}>
      <Avatar id={person.id} name={nameOf(person)} size={16} />
      <b dir="auto" class="nowrap">
        {nameOf(person)}
      </b>
      <span class="faint nowrap">
        <Time at={last.time} />
      </span>
      <span class="cut grow" dir="auto">
        {line ?? ''}
      </span>
      <span class="acc nowrap">
        {count > 0 ? `${count} new ` : <span class="vh">Go to the last comment</span>}
        <Icon name="down" size="s" />
      </span>
    </a>
  )
}
