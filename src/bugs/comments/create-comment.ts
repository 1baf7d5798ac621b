import { requireLogin } from '../../access/caller.ts'
import { isInsider, isTimeTracker } from '../../access/visibility/reader-rights.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { type BugChange, recordBugChanges } from '../../changes/record-bug-changes.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { requireRoomForNewAccount } from '../rights/new-account-limits.ts'
import { idsOfRefs, missingBugError } from '../values/bug-refs.ts'
import { hoursIn } from '../values/bug-values.ts'
import { addComment } from './add-comment.ts'
import { isBlank } from './comment.ts'
import { newCommentRules } from './comment-rules.ts'
import { type DiscussedBug, findDiscussedBug, noteDiscussion, numberOfComment } from './comment-store.ts'
import { factsOfMentions, saveMentions } from './mentions/save-mentions.ts'
import { wantedTags } from './tags/requested-tags.ts'

export interface WantedComment {
  text: string
  isPrivate: boolean
  isMarkdown?: boolean | undefined
  /** Hours, not yet parsed. Ignored unless the caller tracks time. */
  workTime: unknown
  tags?: readonly string[] | undefined
}

/** The parameters of the call, as they are read. */
interface CommentParams {
  comment?: string | undefined
  is_private?: boolean | undefined
  private?: boolean | undefined
  is_markdown?: boolean | undefined
  work_time?: unknown
  comment_tags?: readonly string[] | undefined
}

export function wantedComment(params: CommentParams): WantedComment {
  return {
    text: params.comment ?? '',
    isPrivate: params.is_private ?? params.private ?? false,
    isMarkdown: params.is_markdown,
    workTime: params.work_time,
    tags: params.comment_tags,
  }
}

/** Adds a comment. Every user who is logged in and sees the bug may, unless its product is read-only for them. */
export async function createComment(
  context: WriteBasis,
  ref: string,
  wanted: WantedComment,
): Promise<{ id: number; ignored?: string[] }> {
  const { id, ignored } = await makeComment(context, ref, wanted)
  return { id, ...(ignored.length > 0 && { ignored }) }
}

interface MadeComment {
  id: number
  ignored: string[]
  /** What hours of work have changed. */
  changes: readonly BugChange[]
}

/** The same, with what the response does not have. */
export async function makeComment(context: WriteBasis, ref: string, wanted: WantedComment): Promise<MadeComment> {
  requireLogin(context.caller)
  if (isBlank(wanted.text)) throw errors.parameter_required({ name: 'comment' })
  return writeBugs(context, async (tx, current) => {
    const { caller, settings } = current
    const author = requireLogin(caller)
    const tags = wantedTags(current, wanted.tags)
    const bug = await bugToDiscuss(tx, current, ref)
    if (bug.is_editable === 0) throw errors.product_not_editable({ product: bug.product })
    if (bug.is_restricted === 1) throw errors.comments_restricted()
    if (wanted.isPrivate && !isInsider(caller, settings)) throw errors.not_an_insider()
    if (caller.joinedAt !== null)
      await requireRoomForNewAccount(tx, current, { kind: 'comments', count: 1, texts: [wanted.text] })
    const isMarkdown = wanted.isMarkdown ?? false
    enforce(newCommentRules, { isMarkdown, settings })
    const workHundredths = workIn(current, wanted.workTime)
    const remaining = Math.max(0, bug.remaining_hundredths - workHundredths)
    const at = timeNow()
    const comment = { bugId: bug.id, userId: author.id, at, text: wanted.text, isPrivate: wanted.isPrivate }
    const id = await addComment(tx, { ...comment, isMarkdown, workHundredths, tags })
    const number = await numberOfComment(tx, id)
    await noteDiscussion(tx, bug.id, at, remaining)
    const changes = workHundredths === 0 ? [] : changesOfWork(bug, workHundredths, remaining)
    const history = (await recordBugChanges(tx, author.id, changes, at)).get(bug.id) ?? []
    const said = { text: wanted.text, isPrivate: wanted.isPrivate, isMarkdown, at, commentIds: new Map([[bug.id, id]]) }
    const mentioned = factsOfMentions(await saveMentions(tx, current, said), bug.id)
    const facts = {
      ...mentioned,
      comment_id: id,
      number,
      is_private: wanted.isPrivate,
      changes: changes.map(withoutBug),
      history,
    }
    await recordEvent(tx, { kind: 'comment.create', bugId: bug.id, who: author.id, at, facts })
    const isIgnored = isSent(wanted.workTime) && Number(wanted.workTime) !== 0 && !isTimeTracker(caller, settings)
    return { id, ignored: isIgnored ? ['work_time'] : [], changes }
  })
}

async function bugToDiscuss(tx: Db, context: WriteBasis, ref: string): Promise<DiscussedBug> {
  const id = (await idsOfRefs(tx, [ref])).get(ref)
  if (id !== undefined) await lockBugs(tx, [id])
  const bug = id === undefined ? undefined : await findDiscussedBug(tx, context, id)
  if (bug === undefined) throw await missingBugError(tx, ref, id)
  return bug
}

function workIn({ caller, settings }: WriteBasis, input: unknown): number {
  return isSent(input) && isTimeTracker(caller, settings) ? hoursIn('work_time', input) : 0
}

function isSent(input: unknown) {
  return input !== undefined && input !== null && input !== ''
}

/** Work reduces the remaining time, which never becomes negative. */
function changesOfWork(bug: DiscussedBug, work: number, remaining: number): BugChange[] {
  const workLine = { bugId: bug.id, field: 'work_time', removed: '', added: hours(work) }
  if (remaining === bug.remaining_hundredths) return [workLine]
  return [
    {
      bugId: bug.id,
      field: 'remaining_time',
      removed: hours(bug.remaining_hundredths),
      added: String(remaining / 100),
    },
    workLine,
  ]
}

function hours(hundredths: number) {
  return (hundredths / 100).toFixed(2)
}

function withoutBug({ field, removed, added }: BugChange) {
  return { field, removed, added }
}
