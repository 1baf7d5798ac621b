// The order of the stream: comments and changes by time, with what is folded.
import type { Attachment, Comment, HistoryEntry } from '../../../core/server/types.ts'
import { isWordless, type NumberRange, sizeOf } from './comment-list.ts'

export interface CommentItem {
  kind: 'comment'
  key: string
  comment: Comment
  /** The attachment that came with the comment. */
  attachment: Attachment | undefined
}

export type StreamItem =
  | CommentItem
  | { kind: 'changes'; key: string; entries: readonly HistoryEntry[] }
  /** Where the reader stopped last time. */
  | { kind: 'new'; key: string; since: string }
  /** Comments that are not shown, because they are very many or have not been read yet. */
  | { kind: 'fold'; key: string; count: number }

const GROUPED_MILLISECONDS = 2 * 60 * 60 * 1000
const FIRST_SHOWN = 5
const LAST_SHOWN = 10

export interface StreamParts {
  comments: readonly Comment[]
  /** Numbers of comments that have not been read yet. */
  gaps: readonly NumberRange[]
  history: readonly HistoryEntry[]
  attachments: readonly Attachment[]
  since: string | undefined
  /** The number of a comment after which all are new, even those of the same second. */
  lastSeen?: number | undefined
  /** The reader. Their own comments do not count as new. */
  reader: string | undefined
}

export function streamItems({
  comments,
  gaps,
  history,
  attachments,
  since,
  lastSeen,
  reader,
}: StreamParts): StreamItem[] {
  const byId = new Map(attachments.map((it) => [it.id, it]))
  const items: StreamItem[] = []
  let place = 0
  const isLater = (time: string) => since !== undefined && time > since
  let isMarked = since === undefined
  const mark = (isNew: boolean, who: string) => {
    if (isMarked || since === undefined || !isNew || who === reader) return
    isMarked = true
    if (items.length > 0) items.push({ kind: 'new', key: 'new', since })
  }
  const addChanges = (until: string | undefined) => {
    for (let entry = history[place]; entry !== undefined; entry = history[++place]) {
      if (until !== undefined && entry.when >= until) return
      mark(isLater(entry.when), entry.who)
      addEntry(items, entry)
    }
  }
  let nextGap = 0
  for (const comment of comments) {
    for (let gap = gaps[nextGap]; gap !== undefined && gap.to < comment.count; gap = gaps[++nextGap])
      items.push({ kind: 'fold', key: `gap${gap.from}`, count: sizeOf(gap) })
    addChanges(comment.time)
    mark(isLater(comment.time) || (lastSeen !== undefined && comment.count > lastSeen), comment.creator)
    const attachment = comment.attachment_id === null ? undefined : byId.get(comment.attachment_id)
    if (isWordless(comment)) continue
    if (attachment !== undefined) byId.delete(attachment.id)
    items.push({ kind: 'comment', key: `c${comment.count}`, comment, attachment })
  }
  addChanges(undefined)
  return items
}

/** Changes that follow each other within two hours are one group. */
function addEntry(items: StreamItem[], entry: HistoryEntry) {
  const last = items.at(-1)
  const before = last?.kind === 'changes' ? last.entries.at(-1) : undefined
  if (last?.kind === 'changes' && before !== undefined && apart(before.when, entry.when) <= GROUPED_MILLISECONDS)
    items[items.length - 1] = { ...last, entries: [...last.entries, entry] }
  else items.push({ kind: 'changes', key: `h${entry.when}${entry.who}`, entries: [entry] })
}

function apart(one: string, other: string) {
  return Math.abs(Date.parse(other) - Date.parse(one))
}

/** Which of very many comments are shown, besides the first and the last ones. */
export interface Shown {
  /** Those around the comment that the address names. */
  range: NumberRange | undefined
  /** So many of each fold that has been opened. */
  opened: number
}

/** Of very many comments those that are shown; the others are lines that open them. */
export function foldComments(items: readonly StreamItem[], { range, opened }: Shown): StreamItem[] {
  const comments = items.filter((item) => item.kind === 'comment')
  const isNear = ({ comment: { count } }: CommentItem) =>
    range !== undefined && count >= range.from && count <= range.to
  const shown = new Set<StreamItem>([
    ...comments.slice(0, FIRST_SHOWN),
    ...comments.filter(isNear),
    ...comments.slice(-LAST_SHOWN),
  ])
  const result: StreamItem[] = []
  let between: StreamItem[] = []
  for (const item of items) {
    if (shown.has(item)) {
      result.push(...foldedRun(between, result.at(-1)?.key, opened), item)
      between = []
    } else between.push(item)
  }
  return [...result, ...between]
}

/** What stands between two comments that are shown, after the one with this key. */
function foldedRun(items: readonly StreamItem[], after: string | undefined, opened: number): readonly StreamItem[] {
  const hidden = items.reduce((count, item) => count + commentsIn(item), 0)
  if (hidden <= FIRST_SHOWN) return items.filter(({ kind }) => kind !== 'fold')
  const end = endOf(items, opened)
  const rest = items.slice(end)
  const left = rest.reduce((count, item) => count + commentsIn(item), 0)
  if (left === 0) return items
  const fold: StreamItem = { kind: 'fold', key: `fold ${after}`, count: left }
  return [...items.slice(0, end), fold, ...rest.filter(({ kind }) => kind === 'new')]
}

function commentsIn(item: StreamItem) {
  return item.kind === 'comment' ? 1 : item.kind === 'fold' ? item.count : 0
}

/** The place after so many comments, or of the first ones that have not been read. */
function endOf(items: readonly StreamItem[], comments: number) {
  let left = comments
  for (const [place, { kind }] of items.entries()) {
    if (left === 0 || kind === 'fold') return place
    if (kind === 'comment') left--
  }
  return items.length
}
