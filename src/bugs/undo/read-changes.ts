import type { CallContext } from '../../access/call.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { historyReader } from '../../changes/readable-history.ts'
import { errors } from '../../platform/errors.ts'
import { toTime } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { DUPLICATE } from '../bug-rules.ts'
import { COMMENT_KIND } from '../comments/comment.ts'
import { listVisibleStates } from '../editing/bug-state.ts'
import { flagsOfBugs } from '../flags/flag-texts.ts'
import { duplicatesUpTo } from '../history/as-of-store.ts'
import { historyOfBugs, type ReadLine } from '../history/read-history.ts'
import { type ChangeRow, findChange, listBugsOfChange, listCommentsOfChange } from './change-store.ts'
import type { ChangeOfBug, Kept } from './undo.ts'

export type ChangeContext = Pick<
  CallContext,
  'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl'
>

/** What a change did to a bug, as far as the caller may see it. */
export interface PartOfChange {
  bugId: number
  own: ReadLine[]
  /** The history of the bug from then on, where it is needed. */
  lines: ReadLine[]
  comments: Kept[]
}

/** A page of the parts of a change, and the number of the last bug that was looked at; undefined if there are no more. */
export interface PageOfParts {
  parts: PartOfChange[]
  next: number | undefined
}

/** The same error for a change that does not exist, and for one of which the caller may see nothing. */
export function noSuchChange(ref: string) {
  return errors.no_such_object({ what: 'change', ref })
}

/** A change of which the caller sees something. */
export async function getVisibleChange(context: ChangeContext, ref: string): Promise<ChangeRow> {
  const change = await findChange(context.db, idIn(ref) ?? 0)
  if (change === undefined || !(await isSeen(context, change))) throw noSuchChange(ref)
  return change
}

async function isSeen(context: ChangeContext, change: ChangeRow) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { parts, next }: PageOfParts = await readParts(context, change, after, 100)
    if (parts.length > 0) return true
    after = next
  }
  return false
}

export async function readParts(
  context: ChangeContext,
  change: Pick<ChangeRow, 'id' | 'at'>,
  after: number,
  most: number,
): Promise<PageOfParts> {
  const { db, settings } = context
  const page = { change: change.id, after, most }
  const ids = await listBugsOfChange(db, settings, historyReader(context), page)
  const parts: PartOfChange[] = []
  for (let first = 0; first < ids.length; first += HISTORIES_TOGETHER)
    for (const part of await partsOf(context, change, ids.slice(first, first + HISTORIES_TOGETHER)))
      parts.push({ ...part, lines: [] })
  return { parts, next: ids.length < most ? undefined : ids.at(-1) }
}

/** What has happened to a bug since may be long, and only what the change did is kept of it. */
const HISTORIES_TOGETHER = 10

/** The parts of the change on these bugs, which the caller sees. A bug of which only hidden things were changed has none. */
export async function partsOf(context: ChangeContext, change: Pick<ChangeRow, 'id' | 'at'>, ids: readonly number[]) {
  const { db, settings } = context
  const history = await historyOfBugs(context, ids, justBefore(change.at))
  const comments = await listCommentsOfChange(db, settings, historyReader(context), change.id, ids)
  const byBug = Map.groupBy(comments, ({ bug_id }) => bug_id)
  const parts: PartOfChange[] = []
  for (const bugId of ids) {
    const lines = (history.get(bugId) ?? []).toSorted((one, other) => one.change_id - other.change_id)
    const own = lines.filter(({ change_ref }) => change_ref === change.id)
    const written = (byBug.get(bugId) ?? []).flatMap(keptOf)
    if (own.length > 0 || written.length > 0) parts.push({ bugId, own, lines, comments: written })
  }
  return parts
}

function keptOf({ id, number, kind, about_id }: Awaited<ReturnType<typeof listCommentsOfChange>>[number]): Kept[] {
  const comment: Kept = number === 0 ? { kind: 'filed' } : { kind: 'comment', id }
  if (kind !== COMMENT_KIND.attachmentCreated || about_id === null) return [comment]
  return [comment, { kind: 'attachment', id: about_id }]
}

const MARGIN = 60_000

/** The lines of a change may be a little older or newer than the change itself. */
function justBefore(at: string) {
  return toTime(Date.parse(at) - MARGIN)
}

/**
 * The parts of the change on these bugs, with the bugs as they are now. The bugs are read before their history: if one is changed in between, the
 * undo finds that its revision is another one.
 */
export async function loadParts(
  context: ChangeContext,
  change: Pick<ChangeRow, 'id' | 'at'>,
  ids: readonly number[],
  isUndone: (line: ReadLine) => boolean,
): Promise<LoadedPart[]> {
  const { db, settings, caller } = context
  const viewer = viewerOf(caller)
  const states = new Map((await listVisibleStates(db, settings, viewer, ids)).map((state) => [state.id, state]))
  const parts = await partsOf(context, change, ids)
  const flags = await flagsOfBugs(
    db,
    parts.filter(({ own }) => own.some(({ field }) => field === FLAGS)).map(({ bugId }) => bugId),
  )
  const wereDuplicates = parts
    .filter(({ own }) => own.some(({ field, removed }) => field === 'resolution' && removed === DUPLICATE))
    .map(({ bugId }) => bugId)
  const duplicated = await duplicatesUpTo(db, settings, viewer, wereDuplicates, change.at)
  return parts.flatMap(({ bugId, own, lines, comments }) => {
    const state = states.get(bugId)
    if (state === undefined) return []
    const about = { flags: flags.get(bugId) ?? [], duplicated: duplicated.get(bugId) ?? undefined }
    return [{ state, own, lines, comments, isUndone, ...about }]
  })
}

export interface LoadedPart extends ChangeOfBug {
  comments: Kept[]
}

/** The bug and its last line. What undoes something does not count: the parts of one undo may change each other’s bugs. */
export function markOf({ state, lines }: LoadedPart): string {
  return `${state.id}.${lines.findLast(({ undoes_id }) => undoes_id === null)?.change_id ?? 0}`
}

const FLAGS = 'flagtypes.name'
