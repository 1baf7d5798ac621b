import { useEffect, useMemo, useState } from 'preact/hooks'
import { isFoldedByTag, me } from '../../../core/account/session.ts'
import { afterPaint } from '../../../core/after-paint.ts'
import { shownHistory } from '../../../core/bugs/hidden-fields.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { isPrinting } from '../../../core/printing.ts'
import { currentAddress, query } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { useBugStore } from '../use-bug.ts'
import { Changes } from './changes.tsx'
import { CommentArticle } from './comment.tsx'
import { isWordless, rangeAround } from './comment-list.ts'
import { type CommentItem as CommentStreamItem, foldComments, type StreamItem, streamItems } from './stream-items.ts'

/** Comments, changes and attachments, oldest first. */
export function Stream({ commentsOnly = false }: { commentsOnly?: boolean }) {
  const store = useBugStore()
  const until = store.asOf.value
  const isThen = (time: string) => until === undefined || time <= until
  const all = streamItems({
    comments: store.comments.value.filter(({ time }) => isThen(time)),
    // Which of them were there then is not known until they are read.
    gaps: until === undefined ? store.gaps.value : [],
    history: commentsOnly ? [] : shownHistory(store.history.value).filter(({ when }) => isThen(when)),
    attachments: store.attachments.value,
    since: until === undefined ? store.lastVisit.value : undefined,
    lastSeen: store.lastSeenComment.value,
    reader: me.value?.name,
  })
  const hash = currentAddress.value.hash
  const target = targetOf(all, hash)
  const { opened, open } = useOpened(all.length)
  const items = foldComments(all, {
    range: target === undefined ? undefined : rangeAround(target),
    opened: isPrinting.value ? all.length : opened,
  })
  useScrollTo(hash, store.bug.value?.id, target !== undefined)
  const onOpen = () => {
    open()
    void store.loadRest()
  }
  const isNewestFirst = query.value.get('order') === 'newest'
  return (
    <>
      {(isNewestFirst ? items.reverse() : items).map((item) => (
        <Item key={item.key} item={item} onOpen={onOpen} />
      ))}
    </>
  )
}

/** The number of the comment that the address names, itself or by its attachment, if it has been read. */
function targetOf(items: readonly StreamItem[], hash: string): number | undefined {
  const target = items.find(
    (item) => item.key === hash || (item.kind === 'comment' && `a${item.attachment?.id}` === hash),
  )
  return target?.kind === 'comment' ? target.comment.count : undefined
}

const OPENED_AT_ONCE = 20

/** How many comments of a fold are shown. They are drawn in parts, so that the page stays quick while a thousand of them come. */
function useOpened(all: number) {
  const [opened, setOpened] = useState(0)
  useEffect(() => {
    if (opened === 0 || opened >= all) return
    let isOver = false
    void afterPaint().then(() => isOver || setOpened(opened + OPENED_AT_ONCE))
    return () => {
      isOver = true
    }
  }, [opened, all])
  return { opened, open: () => setOpened((last) => last + OPENED_AT_ONCE) }
}

function Item({ item, onOpen }: { item: StreamItem; onOpen(): void }) {
  switch (item.kind) {
    case 'comment':
      return <CommentItem item={item} />
    case 'changes':
      return <Changes entries={item.entries} />
    case 'new':
      return (
        <div class="unread-line" id="new">
          New since {whenExactly(item.since)}
        </div>
      )
    case 'fold':
      return (
        <div class="stream-folded">
          <Button icon="down" onClick={onOpen}>
            Show {item.count.toLocaleString()}
          </Button>
        </div>
      )
  }
}

/** Drawn again only if the comment has changed, not with every other one. */
function CommentItem({ item: { comment, attachment } }: { item: CommentStreamItem }) {
  return useMemo(() => <CommentArticle comment={comment} attachment={attachment} />, [comment, attachment])
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

function useScrollTo(hash: string, id: number | undefined, isThere: boolean) {
  useEffect(() => {
    if (!/^(c|a)\d+$|^new$/.test(hash)) return
    const target = document.getElementById(hash)
    target?.scrollIntoView()
    target?.focus({ preventScroll: true })
  }, [hash, id, isThere])
}

/** The last comment in one line, above the stream. */
export function Latest() {
  const { comments, gaps, lastVisit, asOf } = useBugStore()
  const worded = comments.value.filter((comment) => !isWordless(comment) && !isFoldedByTag(comment))
  const last = worded.at(-1)
  if (last === undefined || worded.length < 2 || asOf.value !== undefined) return null
  const person = last.creator_detail ?? personBy(last.creator)
  const since = lastVisit.value
  const count =
    since === undefined ? 0 : worded.filter(({ time, creator }) => time > since && creator !== me.value?.name).length
  const afterGap = comments.value.find(({ count }) => count > (gaps.value.at(-1)?.to ?? last.count))
  const mayBeMore = since !== undefined && afterGap !== undefined && afterGap.time > since
  const line = last.text.split('\n').find((text) => text.trim() !== '' && !/^(>|\(In reply)/.test(text))
  return (
    <a class="latest-comment" href={count > 0 ? '#new' : `#c${last.count}`}>
      <Avatar id={person.id} name={nameOf(person)} size={16} />
      <b dir="auto" class="nowrap">
        {nameOf(person)}
      </b>
      <span class="faint nowrap">
        <Time at={last.time} />
      </span>
      <span class="truncated grow" dir="auto">
        {line ?? ''}
      </span>
      <span class="accent nowrap">
        {count > 0 ? (
          `${count}${mayBeMore ? '+' : ''} new `
        ) : (
          <span class="visually-hidden">Go to the last comment</span>
        )}
        <Icon name="down" size="small" />
      </span>
    </a>
  )
}
