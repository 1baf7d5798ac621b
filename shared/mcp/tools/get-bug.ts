import { answerOf, answerWithout, BUG, inputOf, listOf, objectOf } from '../input-schema.ts'
import type { ToolOutcome } from '../marked-data.ts'
import type { Tool } from '../tool.ts'
import type { Tracker } from '../tracker.ts'

const PARTS = ['fields', 'comments', 'history', 'attachments'] as const
type Part = (typeof PARTS)[number]

const COMMENTS_AT_ONCE = 10
const MOST_COMMENTS = 20
const CHANGES_AT_ONCE = 30
/** Of one comment, in a list of several; a single one is returned in parts of this length. */
const LONGEST_COMMENT = 3_000

const COMMENT_FIELDS = ['id', 'count', 'creator', 'time', 'is_private', 'tags', 'text'] as const
const ATTACHMENT_FIELDS = [
  'id',
  'file_name',
  'summary',
  'content_type',
  'size',
  'creator',
  'creation_time',
  'is_private',
  'is_obsolete',
  'is_patch',
  'flags',
] as const

/** Fields of a bug that only programs need. */
const LEFT_OUT = [
  'creator_detail',
  'assigned_to_detail',
  'cc_detail',
  'qa_contact_detail',
  'triage_owner_detail',
  'update_token',
] as const
/** Those that other parts of the answer have. */
const ELSEWHERE = ['description', 'comments', 'comment_count', 'history', 'attachments'] as const

export const getBug: Tool = {
  name: 'get_bug',
  title: 'Read a bug',
  about: `Returns the fields of a bug, its comments (the description is comment 0; without comments_from, that and the newest), its history and the list of its attachments. At most ${MOST_COMMENTS} comments at once; a long comment is read on with text_from.`,
  needs: 'read',
  input: inputOf(
    {
      bug: BUG,
      parts: {
        type: 'array',
        items: { type: 'string', enum: PARTS },
        maxItems: PARTS.length,
        description: 'What to return; fields and comments by default.',
      },
      comments_from: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'Comments from this number on.' },
      comments_count: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_COMMENTS,
        description: `How many comments; ${COMMENTS_AT_ONCE} by default.`,
      },
      text_from: {
        type: 'integer',
        minimum: 0,
        maximum: 100_000,
        description: 'Begins each comment at this character: to read a long one on, with comments_count 1.',
      },
      changes_before: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000,
        description: `Changes before this place of the history; without it, the last ${CHANGES_AT_ONCE}.`,
      },
    },
    ['bug'],
  ),
  data: objectOf({
    bug: answerWithout('Bug', [...LEFT_OUT, ...ELSEWHERE]),
    comments: listOf({
      ...answerOf('Comment', COMMENT_FIELDS),
      description: 'text_length is there if the text is longer than what is returned.',
    }),
    comment_count: { type: 'integer' },
    history: listOf(answerOf('HistoryEntry')),
    change_count: { type: 'integer' },
    attachments: listOf(answerOf('Attachment', ATTACHMENT_FIELDS)),
  }),
  run: (tracker, args) => readBug(tracker, args as unknown as BugArguments),
}

export interface BugArguments {
  bug: string | number
  parts?: readonly Part[]
  comments_from?: number
  comments_count?: number
  text_from?: number
  changes_before?: number
}

export async function readBug(tracker: Tracker, args: BugArguments): Promise<ToolOutcome> {
  const parts = new Set<Part>(args.parts ?? ['fields', 'comments'])
  const ref = String(args.bug)
  const bug = parts.has('fields') ? await readFields(tracker, ref) : undefined
  const comments = parts.has('comments') ? await readComments(tracker, ref, args) : undefined
  const history = parts.has('history') ? await readHistory(tracker, ref, args) : undefined
  const attachments = parts.has('attachments') ? await listAttachments(tracker, ref) : undefined
  return {
    says: [comments?.says, history?.says].filter((it) => it !== undefined).join(' ') || 'One bug.',
    data: {
      ...(bug !== undefined && { bug }),
      ...(comments !== undefined && { comments: comments.comments, comment_count: comments.count }),
      ...(history !== undefined && { history: history.changes, change_count: history.count }),
      ...(attachments !== undefined && { attachments }),
    },
    next: comments?.next ?? history?.next,
    longestText: LONGEST_COMMENT + 1,
  }
}

async function readFields(tracker: Tracker, ref: string) {
  const { body } = await tracker.call('GET', '/bug/:ref', {
    ref,
    include_fields: '_default',
    exclude_fields: LEFT_OUT.join(),
  })
  return (body as { bugs: object[] }).bugs[0] ?? {}
}

interface ReadComment {
  count?: number
  text: string
}

async function readComments(tracker: Tracker, ref: string, args: BugArguments) {
  const { comments_from: from, comments_count: most = COMMENTS_AT_ONCE, text_from: textFrom = 0 } = args
  const part = from === undefined ? { oldest: 1, newest: most - 1 || 1 } : { from, to: from + most - 1 }
  const fields = COMMENT_FIELDS.join()
  const { body } = await tracker.call('GET', '/bug/:ref/comment', { ref, ...part, include_fields: fields })
  const [found] = Object.values((body as { bugs: Record<string, { comments: ReadComment[] }> }).bugs)
  const all = (found?.comments ?? []).map((comment, place) => ({ ...comment, count: comment.count ?? place }))
  const comments = chosen(all, from, most).map((comment) => shortened(comment, textFrom))
  const count = await countComments(tracker, ref, all)
  const last = comments.at(-1)?.count ?? -1
  const gap = from === undefined ? firstGap(comments) : undefined
  const nextFrom = gap ?? (from !== undefined && last + 1 < count && comments.length > 0 ? last + 1 : undefined)
  return {
    comments,
    count,
    says: `${comments.length} of ${count} comments.`,
    next: nextFrom === undefined ? undefined : { comments_from: nextFrom },
  }
}

/** A Bugzilla returns all of them. */
function chosen<Comment extends { count: number }>(all: readonly Comment[], from: number | undefined, most: number) {
  if (from !== undefined) return all.filter(({ count }) => count >= from).slice(0, most)
  return all.length <= most ? [...all] : [...all.slice(0, 1), ...all.slice(1 - most || all.length)]
}

function shortened<Comment extends ReadComment>(comment: Comment, from: number) {
  const { length } = comment.text
  if (from === 0 && length <= LONGEST_COMMENT) return comment
  return { ...comment, text: comment.text.slice(from, from + LONGEST_COMMENT), text_length: length }
}

/** The numbers of comments have gaps only where the caller may not read one; the newest has the highest number. */
async function countComments(tracker: Tracker, ref: string, read: readonly { count: number }[]): Promise<number> {
  if (!tracker.isLacewing) return read.length
  const { body } = await tracker.call('GET', '/bug/:ref/comment', { ref, newest: 1, include_fields: 'count' })
  const [found] = Object.values((body as { bugs: Record<string, { comments: { count: number }[] }> }).bugs)
  return (found?.comments.at(-1)?.count ?? -1) + 1
}

function firstGap(comments: readonly { count: number }[]): number | undefined {
  const place = comments.findIndex(({ count }, index) => index > 0 && count !== (comments[index - 1]?.count ?? 0) + 1)
  return place < 1 ? undefined : (comments[place - 1]?.count ?? 0) + 1
}

async function readHistory(tracker: Tracker, ref: string, { changes_before: before }: BugArguments) {
  const { body } = await tracker.call('GET', '/bug/:ref/history', { ref })
  const all = (body as { bugs: { history: object[] }[] }).bugs[0]?.history ?? []
  const end = Math.min(before ?? all.length, all.length)
  const start = Math.max(0, end - CHANGES_AT_ONCE)
  return {
    changes: all.slice(start, end),
    count: all.length,
    says: `Changes ${start + 1} to ${end} of ${all.length}.`,
    next: start > 0 ? { changes_before: start } : undefined,
  }
}

async function listAttachments(tracker: Tracker, ref: string) {
  const fields = ATTACHMENT_FIELDS.join()
  const { body } = await tracker.call('GET', '/bug/:ref/attachment', { ref, include_fields: fields })
  return Object.values((body as { bugs: Record<string, object[]> }).bugs)[0] ?? []
}
