import { requireLogin } from '../../../access/caller.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import { listAttachmentBugs } from '../../../bugs/attachments/attachment-store.ts'
import { lockBugs } from '../../../bugs/editing/lock-bugs.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { withoutReviewers, withoutTexts } from './change-texts.ts'
import {
  changeAfter,
  changeAfterChecks,
  isNews,
  type ReportedChange,
  type ReportedChecks,
  type StoredChange,
} from './code-change.ts'
import {
  countLinks,
  deleteLinks,
  deleteUnlinkedChange,
  insertChange,
  listLinkedBugs,
  lockChange,
  lockChangesAt,
  saveChange,
  saveLinks,
} from './code-change-store.ts'
import type { NamedBug } from './named-bugs.ts'
import { commentOn, commentsOn, resolveBug } from './write-about-change.ts'

/** What came of a report. */
export interface AppliedReport {
  /** The bugs that are linked now and were not before. */
  linked: number[]
  /** The bugs that were linked before and are not named any more. */
  unlinked: number[]
  /** How many named bugs are not linked: they do not exist, or the source may not touch them. */
  leftOut: number
  /** How many named bugs are linked to as many changes as a bug may be. */
  full: number
  /** Why something that follows from the link was not done. */
  refusals: string[]
}

/** A bug is linked to no more changes. */
const MOST_LINKS_OF_BUG = 200

const NOTHING: AppliedReport = { linked: [], unlinked: [], leftOut: 0, full: 0, refusals: [] }

/**
 * Stores what a source reports about a change, links it to the bugs that it names and that the account of the source may change, and
 * does what the source does about that. A report that is repeated changes nothing.
 */
export function applyChange(
  acting: ActingContext,
  source: CodeSource,
  report: ReportedChange,
  comments: 'as the source does' | 'elsewhere' = 'as the source does',
): Promise<AppliedReport> {
  return writeBugs(acting, async (tx, basis) => {
    const current: ActingContext = { ...basis, caller: requireLogin(basis.caller) }
    const before = await lockChange(tx, source.id, report.key)
    const linkedBefore = before === undefined ? [] : await listLinkedBugs(tx, before.id)
    const named = report.names ?? linkedBefore
    if (before === undefined && named.length === 0) return NOTHING
    await lockBugs(
      tx,
      [...named, ...linkedBefore].map(({ id }) => id),
    )
    const isNewest = isNews(before, report)
    const known = new Set(linkedBefore.map(({ id }) => id))
    const linkable = await linkableBugs(current, source, [...named, ...linkedBefore])
    const mayLink = named.filter(({ id }) => linkable.has(id))
    const counted = await countLinks(tx, [...linkable])
    const wanted = mayLink.filter(({ id }) => known.has(id) || (counted.get(id) ?? 0) < MOST_LINKS_OF_BUG)
    const added = wanted.filter(({ id }) => !known.has(id))
    const counts = { leftOut: named.length - mayLink.length, full: mayLink.length - wanted.length }
    if (before === undefined && added.length === 0) return { ...NOTHING, ...counts }
    const after = withoutTexts(source, report, changeAfter(before, withoutReviewers(source, report)))
    const stored = await storedChange(tx, source, before, after)
    await saveChange(tx, stored.id, after)
    let unlinked: number[] = []
    if (isNewest) {
      await saveLinks(tx, stored.id, wanted, timeNow())
      const isNamed = new Set(named.map(({ id }) => id))
      // A bug that was named before and is hidden from the account now keeps its link: nothing is written there.
      unlinked = linkedBefore
        .filter(({ id, namedIn }) => namedIn !== 'attachment' && !isNamed.has(id) && linkable.has(id))
        .map(({ id }) => id)
      await deleteLinks(tx, stored.id, unlinked)
      if (unlinked.length > 0) await deleteUnlinkedChange(tx, stored.id)
    }
    const linked = isNewest ? added.map(({ id }) => id) : []
    const isMerged = after.state === 'merged' && before?.state !== 'merged'
    const refusals: string[] = []
    const isQuiet = comments === 'elsewhere'
    const saysMore = commentsOn(source, report)
    const toComment = isNewest && !isQuiet ? added.filter(({ namedIn }) => namedIn !== 'attachment') : []
    for (const { id } of toComment) refusals.push(...(await commentOn(current, source, report, id)))
    const landed = isMerged ? wanted : after.state === 'merged' ? added : []
    for (const bug of landed)
      refusals.push(
        ...(await resolveBug(current, source, report, bug, isQuiet || (saysMore && toComment.includes(bug)))),
      )
    return { linked, unlinked, ...counts, refusals }
  })
}

/** Another transaction can have made the change since it was looked for; then the report is applied again, after that one. */
async function storedChange(
  tx: BugTransaction,
  { id: sourceId }: CodeSource,
  before: StoredChange | undefined,
  after: Omit<StoredChange, 'id'>,
): Promise<StoredChange> {
  if (before !== undefined) return before
  if (!(await insertChange(tx, sourceId, after))) throw new Error('The change is being linked')
  const stored = await lockChange(tx, sourceId, after.key)
  if (stored === undefined) throw new Error('The change was deleted while it was linked')
  return stored
}

/** The bugs among these that the account of the source sees, in products that it may change and that the source may touch. */
async function linkableBugs(
  { db, caller, settings }: ActingContext,
  { products }: CodeSource,
  named: readonly NamedBug[],
): Promise<Set<number>> {
  const ids = [...new Set(named.map(({ id }) => id))]
  const seen = ids.length === 0 ? [] : await listAttachmentBugs(db, settings, viewerOf(caller), ids)
  const isAllowed = (productId: number) => products.length === 0 || products.some(({ id }) => id === productId)
  return new Set(
    seen.filter(({ is_editable, product_id }) => is_editable === 1 && isAllowed(product_id)).map(({ id }) => id),
  )
}

/** Stores the result of a check with the changes whose newest commit it is about. Returns how many these are. */
export function applyChecks(acting: ActingContext, source: CodeSource, checks: ReportedChecks): Promise<number> {
  return acting.db.transaction(async (tx) => {
    const changes = await lockChangesAt(tx, source.id, checks.head, checks.repository)
    for (const change of changes) await saveChange(tx, change.id, changeAfterChecks(change, checks))
    return changes.length
  })
}
