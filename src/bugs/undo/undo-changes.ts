import { hash } from 'node:crypto'
import { requireLogin } from '../../access/caller.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { insertUndo } from '../../changes/current-change.ts'
import { historyReader } from '../../changes/readable-history.ts'
import type { ApiError } from '../../platform/errors.ts'
import { errors } from '../../platform/errors.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'
import type { ReadLine } from '../history/read-history.ts'
import { presentConflict, presentRefusal } from './change-schema.ts'
import {
  type ChangeRow,
  countBugsOfChange,
  findChange,
  listBugsOfChange,
  listChangesBy,
  type MadeBy,
} from './change-store.ts'
import { type ChangeContext, getVisibleChange, type LoadedPart, loadParts, markOf } from './read-changes.ts'
import { type UndoneBug, type UndoOptions, undoOnBug } from './undo-bug.ts'

export interface UndoRequest {
  isDryRun: boolean
  comment: string | undefined
  /** Where an earlier call ended. */
  after: string | undefined
  /** How many bugs at most. */
  limit: number
  ifMatch: string | undefined
  /** Only these bugs, if they are given. */
  onlyBugs?: ReadonlySet<number> | undefined
}

/**
 * So many bugs are read and changed at once: their transactions share a commit, and those of other callers come in between. Their histories are
 * in memory, and may be long.
 */
const AT_ONCE = 4

/** Where a call goes on: the change, the last bug of it that was looked at, and the change that undoes it, if there is one yet. */
interface Position {
  change: number
  bug: number
  undo: number | undefined
}

/** Undoes one change, on as many bugs as the limit allows. */
export async function undoChange(context: ChangeContext, ref: string, request: UndoRequest) {
  requireLogin(context.caller)
  const change = await getVisibleChange(context, ref)
  const start = request.after === undefined ? { change: change.id, bug: 0, undo: undefined } : positionIn(request.after)
  if (start.change !== change.id) throw badPosition(request.after)
  const run = new UndoRun(context, request, () => false)
  const walk = async (visit: Visit) => (await visit(change, start, request.limit)).next
  await run.requireTag(walk)
  const next = await walk((...page) => run.undo(...page))
  const total = await countBugsOfChange(context.db, context.settings, historyReader(context), change.id)
  return { ...run.result(), bugs: run.count, total, next: next === undefined ? null : written(next) }
}

/** Changes that are looked at in one call at most, also if the caller sees nothing of them. */
const MOST_CHANGES = 200

/** Undoes everything that was made by a source since a time, the newest first. */
export async function undoChangesBy(context: ChangeContext, by: MadeBy, request: UndoRequest) {
  requireLogin(context.caller)
  const start =
    request.after === undefined ? { change: LARGEST_ID, bug: 0, undo: undefined } : positionIn(request.after)
  const run = new UndoRun(context, request, (line) => request.isDryRun && isMadeBy(by, line))
  const before = start.change + (start.change < LARGEST_ID ? 1 : 0)
  const listed = await listChangesBy(context.db, by, before, MOST_CHANGES)
  const walk = (visit: Visit) => visitInTurn(context, listed, start, request.limit, visit)
  await run.requireTag(walk)
  const next = await walk((...page) => run.undo(...page))
  return { ...run.result(), bugs: run.count, next: next === undefined ? null : written(next) }
}

/** Looks at so many bugs of a change. Returns where to go on; undefined after the last one. */
type Visit = (
  change: ChangeRow,
  start: Position,
  most: number,
) => Promise<{ looked: number; next: Position | undefined }>
type Walk = (visit: Visit) => Promise<Position | undefined>

async function visitInTurn(
  { db }: ChangeContext,
  { ids, readTo }: Awaited<ReturnType<typeof listChangesBy>>,
  start: Position,
  limit: number,
  visit: Visit,
): Promise<Position | undefined> {
  let left = limit
  for (const id of ids) {
    const change = (await findChange(db, id)) as ChangeRow
    const from = id === start.change ? start : { change: id, bug: 0, undo: undefined }
    const { looked, next } = await visit(change, from, left)
    left -= looked
    if (next !== undefined) return next
    if (left <= 0) return { change: id, bug: LARGEST_ID, undo: undefined }
  }
  return readTo === undefined ? undefined : { change: readTo, bug: LARGEST_ID, undo: undefined }
}

/** A dry run takes the newer changes of the same source as undone. */
function isMadeBy({ userId, source, sourceId, since, until }: MadeBy, line: ReadLine) {
  return (
    line.change_owner === userId &&
    line.source === source &&
    (sourceId === null || line.source_id === sourceId) &&
    line.undoes_id === null &&
    line.at >= since &&
    line.at <= until
  )
}

class UndoRun {
  count = 0
  private readonly done: UndoneBug[] = []
  private marks: string[] = []
  /** The marks of the bugs in the dry run that the client wants; undefined if it wants none. */
  private expected: ReadonlySet<string> | undefined
  private readonly undoIds = new Set<number>()
  private readonly context: ChangeContext
  private readonly request: UndoRequest
  private readonly isUndone: (line: ReadLine) => boolean

  constructor(context: ChangeContext, request: UndoRequest, isUndone: (line: ReadLine) => boolean) {
    this.context = context
    this.request = request
    this.isUndone = isUndone
  }

  async undo(change: ChangeRow, start: Position, most: number) {
    const { ids, wanted } = await this.list(change, start, most)
    const who = requireLogin(this.context.caller).id
    const known = start.undo === undefined ? undefined : await this.ownUndo(start.undo, change.id)
    let made = known === undefined ? undefined : Promise.resolve(known)
    const undoId = () => {
      made ??= writeBugs(this.context, (tx) => insertUndo(tx, who, change.id))
      return made
    }
    const { isDryRun, comment } = this.request
    const options = { isDryRun, comment, isFixed: this.expected !== undefined, undoId }
    for (let first = 0; first < wanted.length; first += AT_ONCE) {
      const some = await loadParts(this.context, change, wanted.slice(first, first + AT_ONCE), this.isUndone)
      this.marks.push(...some.map(markOf))
      this.done.push(...(await Promise.all(some.map((part) => this.undoOn(change, part, options)))))
    }
    this.count += ids.length
    const undo = made === undefined ? undefined : await made
    if (undo !== undefined) this.undoIds.add(undo)
    const bug = ids.at(-1)
    const isLast = ids.length < most || bug === undefined
    return { looked: ids.length, next: isLast ? undefined : { change: change.id, bug, undo } }
  }

  private undoOn(change: ChangeRow, part: LoadedPart, options: UndoOptions): UndoneBug | Promise<UndoneBug> {
    if (this.expected === undefined || this.expected.has(markOf(part)))
      return undoOnBug(this.context, change, part, options)
    return { bugId: part.state.id, conflicts: [], kept: [], refusal: errors.changed_meanwhile(), changed: undefined }
  }

  private async list(change: ChangeRow, start: Position, most: number) {
    const { db, settings } = this.context
    const page = { change: change.id, after: start.bug, most }
    const ids = await listBugsOfChange(db, settings, historyReader(this.context), page)
    const { onlyBugs } = this.request
    return { ids, wanted: onlyBugs === undefined ? ids : ids.filter((id) => onlyBugs.has(id)) }
  }

  /** A client that sends the tag of a dry run wants exactly that: all bugs are looked at before the first is changed. */
  async requireTag(walk: Walk) {
    const { ifMatch } = this.request
    if (ifMatch === undefined || ifMatch.trim() === '*') return
    await walk(async (change, start, most) => {
      const { ids, wanted } = await this.list(change, start, most)
      for (let first = 0; first < wanted.length; first += AT_ONCE) {
        const some = wanted.slice(first, first + AT_ONCE)
        this.marks.push(...(await loadParts(this.context, change, some, this.isUndone)).map(markOf))
      }
      const bug = ids.at(-1)
      const isLast = ids.length < most || bug === undefined
      return { looked: ids.length, next: isLast ? undefined : { change: change.id, bug, undo: undefined } }
    })
    const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
    if (!tags.includes(this.tag())) throw errors.changed_meanwhile()
    this.expected = new Set(this.marks)
    this.marks = []
  }

  private tag() {
    return hash('sha256', this.marks.join(' '), 'hex').slice(0, 32)
  }

  /** The undo that an earlier call has begun, which must be one of the caller and of this change. */
  private async ownUndo(id: number, undoes: number) {
    const undo = await findChange(this.context.db, id)
    if (undo?.undoes_id !== undoes || undo.user_id !== this.context.caller.id) throw badPosition(this.request.after)
    return id
  }

  result() {
    const refused = this.done.filter((it) => it.refusal !== undefined)
    const [first] = this.undoIds
    return {
      dry_run: this.request.isDryRun,
      tag: this.tag(),
      conflicts: this.done.flatMap(({ bugId, conflicts }) => conflicts.map((it) => presentConflict(bugId, it))),
      refused: refused.map(({ bugId, refusal }) => presentRefusal(bugId, refusal as ApiError)),
      undone: this.done.flatMap(({ bugId, changed }) =>
        changed === undefined ? [] : [{ bug_id: bugId, changes: changed.changes }],
      ),
      unchanged: this.done
        .filter((it) => it.changed === undefined && it.refusal === undefined)
        .map(({ bugId }) => bugId),
      kept: this.done.flatMap(({ bugId, kept }) => kept.map((it) => ({ bug_id: bugId, ...it }))),
      ...(first !== undefined && this.undoIds.size === 1 && { change_id: first }),
    }
  }
}

/** `12.34`, or `12.34.56` with the change that undoes. */
function positionIn(text: string | undefined): Position {
  const [, change, bug, undo] = /^(\d{1,10})\.(\d{1,10})(?:\.(\d{1,10}))?$/.exec(text?.trim() ?? '') ?? []
  const numbers = [change, bug, undo ?? '1'].map(Number)
  if (change === undefined || numbers.some((it) => it > LARGEST_ID)) throw badPosition(text)
  return { change: Number(change), bug: Number(bug), undo: undo === undefined ? undefined : Number(undo) }
}

function written({ change, bug, undo }: Position) {
  return [change, bug, ...(undo === undefined ? [] : [undo])].join('.')
}

function badPosition(text: string | undefined) {
  return errors.bad_value({ name: 'after', value: text, right: 'it must be the value of next in an earlier response' })
}
