import { StrangeAnswer } from '../failures/strange-answer.ts'
import type { Connection } from '../servers/connection.ts'
import type { FoundBug } from './found-bugs.ts'
import { objectsIn } from './objects-in.ts'

export interface BugEntry {
  readonly time: string
  readonly author: string
}

export interface ShownComment extends BugEntry {
  readonly number: number
  readonly text: string
  readonly isPrivate: boolean
  readonly attachment: number | undefined
}

export interface ShownChange extends BugEntry {
  readonly changes: readonly { field: string; removed: string; added: string }[]
}

export interface WholeBug {
  readonly bug: FoundBug
  /** As the server sent them. */
  readonly comments: readonly FoundBug[]
  readonly history: readonly FoundBug[]
  readonly attachments: readonly FoundBug[]
  /** Whether there may be more comments than these. */
  readonly isCut: boolean
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** A bug with all that belongs to it: the description, and so many of its newest comments. */
export async function readWholeBug({ client }: Connection, ref: string, newest: number): Promise<WholeBug> {
  const { bugs } = await client.get('/bug/:ref', { ref })
  const [bug] = objectsIn(bugs, 'bugs')
  if (bug === undefined) throw new StrangeAnswer('bugs is empty')
  const id = text(bug.id ?? ref)
  const [comments, history, attachments] = await Promise.all([
    client.get('/bug/:ref/comment', { ref: id, oldest: 1, newest }),
    client.get('/bug/:ref/history', { ref: id }),
    client.get('/bug/:ref/attachment', { ref: id, exclude_fields: 'data' }),
  ])
  const allComments = inOf(comments.bugs, id, 'comments')
  // Bugzilla sends all comments.
  const kept = allComments.length <= newest + 1 ? allComments : [allComments[0] ?? {}, ...allComments.slice(-newest)]
  const shown = newest === 0 ? allComments.slice(0, 1) : kept
  return {
    bug,
    comments: shown,
    isCut: shown.length === newest + 1 && Number(shown[1]?.count ?? 2) > 1,
    history: listIn((history.bugs as readonly unknown[])[0], 'history'),
    attachments: inOf(attachments.bugs, id),
  }
}

/** The list of one bug in an object of lists by number. */
function inOf(byBug: unknown, id: string, name?: string): FoundBug[] {
  const own = new Map(Object.entries((byBug ?? {}) as object)).get(id)
  return name === undefined ? (Array.isArray(own) ? own : []) : listIn(own, name)
}

function listIn(value: unknown, name: string): FoundBug[] {
  const list = new Map(Object.entries((value ?? {}) as object)).get(name)
  return Array.isArray(list) ? list : []
}

export function shownComment(comment: FoundBug): ShownComment {
  return {
    time: text(comment.creation_time ?? comment.time),
    author: text(comment.creator),
    number: Number(comment.count ?? 0),
    text: text(comment.text),
    isPrivate: comment.is_private === true || comment.is_private === 1,
    attachment: typeof comment.attachment_id === 'number' ? comment.attachment_id : undefined,
  }
}

export function shownChange(entry: FoundBug): ShownChange {
  return {
    time: text(entry.when),
    author: text(entry.who),
    changes: listIn(entry, 'changes').map(({ field_name: field, removed, added }) => ({
      field: text(field),
      removed: text(removed),
      added: text(added),
    })),
  }
}
