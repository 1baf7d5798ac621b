import { hash } from 'node:crypto'
import { requireLogin } from '../../access/caller.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { insertUndo } from '../../changes/current-change.ts'
import { historyReader } from '../../changes/readable-history.ts'
import type { ApiError } from '../../platform/errors.ts'
import { errors } from '../../platform/errors.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'
import type { ReadLine } from '../history/read-history.ts'
import { revisionOf } from '../reading/revision.ts'
import { presentConflict, presentRefusal } from './change-schema.ts'
import {
  type ChangeRow,
  countBugsOfChange,
  findChange,
  listBugsOfChange,
  listChangesBy,
  type MadeBy,
} from './change-store.ts'
import { type ChangeContext, getVisibleChange, type LoadedPart, loadParts } from './read-changes.ts'
import { type UndoneBug, undoOnBug } from './undo-bug.ts'

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

/** So many bugs are changed at once: their transactions share a commit, and those of other callers come in between. */
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
  const next = await run.undo(change, start, request.limit)
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
  const listed = await listChangesBy(context.db, by, start.change + (start.change < LARGEST_ID ? 1 : 0), MOST_CHANGES)
  let next: Position | undefined
  let left = request.limit
  for (const id of listed) {
    const change = (await findChange(context.db, id)) as ChangeRow
    next = await run.undo(change, id === start.change ? start : { change: id, bug: 0, undo: undefined }, left)
    left = request.limit - run.count
    next ??= left <= 0 ? { change: id, bug: LARGEST_ID, undo: undefined } : undefined
    if (next !== undefined) break
  }
  const last = listed.at(-1)
  if (next === undefined && listed.length === MOST_CHANGES && last !== undefined)
    next = { change: last, bug: LARGEST_ID, undo: undefined }
  return { ...run.result(), bugs: run.count, next: next === undefined ? null : written(next) }
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
  private readonly revisions: string[] = []
  private readonly undoIds = new Set<number>()
  private readonly context: ChangeContext
  private readonly request: UndoRequest
  private readonly isUndone: (line: ReadLine) => boolean

  constructor(context: ChangeContext, request: UndoRequest, isUndone: (line: ReadLine) => boolean) {
    this.context = context
    this.request = request
    this.isUndone = isUndone
  }

  /** Returns where to go on; undefined after the last bug. */
  async undo(change: ChangeRow, start: Position, most: number): Promise<Position | undefined> {
    const { db, settings, caller } = this.context
    const page = { change: change.id, after: start.bug, most }
    const ids = await listBugsOfChange(db, settings, historyReader(this.context), page)
    const { onlyBugs } = this.request
    const wanted = onlyBugs === undefined ? ids : ids.filter((id) => onlyBugs.has(id))
    const parts = wanted.length === 0 ? [] : await loadParts(this.context, change, wanted, this.isUndone)
    this.requireTag(parts)
    const who = requireLogin(caller).id
    const known = start.undo === undefined ? undefined : await this.ownUndo(start.undo, change.id)
    let made = known === undefined ? undefined : Promise.resolve(known)
    const undoId = () => {
      made ??= writeBugs(this.context, (tx) => insertUndo(tx, who, change.id))
      return made
    }
    const { isDryRun, comment, ifMatch } = this.request
    const options = { isDryRun, comment, isFixed: ifMatch !== undefined, undoId }
    for (let first = 0; first < parts.length; first += AT_ONCE) {
      const some = parts.slice(first, first + AT_ONCE)
      this.done.push(...(await Promise.all(some.map((part) => undoOnBug(this.context, change, part, options)))))
    }
    this.count += ids.length
    const undo = made === undefined ? undefined : await made
    if (undo !== undefined) this.undoIds.add(undo)
    const bug = ids.at(-1)
    return ids.length < most || bug === undefined ? undefined : { change: change.id, bug, undo }
  }

  /** A client that sends the tag of a dry run wants exactly that. */
  private requireTag(parts: readonly LoadedPart[]) {
    this.revisions.push(...parts.map(({ state }) => revisionOf(state)))
    const { ifMatch } = this.request
    if (ifMatch === undefined || ifMatch.trim() === '*') return
    const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
    if (!tags.includes(this.tag())) throw errors.changed_meanwhile()
  }

  private tag() {
    return hash('sha256', this.revisions.join(' '), 'hex').slice(0, 32)
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
