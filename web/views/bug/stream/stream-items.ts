// The order of the stream: comments and changes by time, with what is folded.
import type { Attachment, Comment, HistoryEntry } from '../../../core/server/types.ts'

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
  | { kind: 'fold'; key: string; count: number }

const GROUPED_MILLISECONDS = 2 * 60 * 60 * 1000
const FIRST_SHOWN = 5
const LAST_SHOWN = 10

export interface StreamParts {
  comments: readonly Comment[]
  history: readonly HistoryEntry[]
  attachments: readonly Attachment[]
  since: string | undefined
  /** The reader. Their own comments do not count as new. */
  reader: string | undefined
}

export function streamItems({ comments, history, attachments, since, reader }: StreamParts): StreamItem[] {
  const byId = new Map(attachments.map((it) => [it.id, it]))
  const items: StreamItem[] = []
  let place = 0
  let isMarked = since === undefined
  const mark = (time: string, who: string) => {
    if (isMarked || since === undefined || time <= since || who === reader) return
    isMarked = true
    if (items.length > 0) items.push({ kind: 'new', key: 'new', since })
  }
  const addChanges = (until: string | undefined) => {
    for (let entry = history[place]; entry !== undefined; entry = history[++place]) {
      if (until !== undefined && entry.when >= until) return
      mark(entry.when, entry.who)
      addEntry(items, entry)
    }
  }
  for (const comment of comments) {
    addChanges(comment.time)
    mark(comment.time, comment.creator)
    const attachment = comment.attachment_id === null ? undefined : byId.get(comment.attachment_id)
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

/** Of very many comments the first and the last ones; the others are one line that opens them. */
export function foldComments(items: readonly StreamItem[]): StreamItem[] {
  const places = items.flatMap((item, place) => (item.kind === 'comment' ? [place] : []))
  const hidden = places.length - FIRST_SHOWN - LAST_SHOWN
  if (hidden <= FIRST_SHOWN) return [...items]
  const from = (places[FIRST_SHOWN - 1] as number) + 1
  const to = places[places.length - LAST_SHOWN] as number
  const marks = items.slice(from, to).filter(({ kind }) => kind === 'new')
  return [...items.slice(0, from), { kind: 'fold', key: 'fold', count: hidden }, ...marks, ...items.slice(to)]
}
