import { requireLogin } from '../../../access/caller.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import { listAttachmentBugs } from '../../../bugs/attachments/attachment-store.ts'
import { lockBugs } from '../../../bugs/editing/lock-bugs.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { changeAfter, changeAfterChecks, isNews, type ReportedChange, type ReportedChecks } from './code-change.ts'
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
import { commentOn, resolveBug } from './write-about-change.ts'

/** What came of a report. */
interface AppliedReport {
  /** The bugs that are linked now and were not before. */
  linked: number[]
  /** How many named bugs are not linked: they do not exist, or the source may not touch them. */
  leftOut: number
  /** Why something that follows from the link was not done. */
  refusals: string[]
}

/** A bug is linked to no more changes. */
const MOST_LINKS_OF_BUG = 200

/**
 * Stores what a source reports about a change, links it to the bugs that it names and that the account of the source may change, and
 * does what the source does about that. A report that is repeated changes nothing.
 */
export function applyChange(acting: ActingContext, source: CodeSource, report: ReportedChange): Promise<AppliedReport> {
  return writeBugs(acting, async (tx, basis) => {
    const current: ActingContext = { ...basis, caller: requireLogin(basis.caller) }
    const named = report.names ?? []
    const before = await lockChange(tx, source.id, report.key)
    const linkedBefore = before === undefined ? [] : await listLinkedBugs(tx, before.id)
    if (before === undefined && named.length === 0) return { linked: [], leftOut: 0, refusals: [] }
    await lockBugs(
      tx,
      [...named, ...linkedBefore].map(({ id }) => id),
    )
    const isNewest = isNews(before, report)
    const known = new Set(linkedBefore.map(({ id }) => id))
    const after = withoutTexts(source, changeAfter(before, report))
    const linkable = await linkableBugs(current, source, named)
    const counted = await countLinks(
      tx,
      linkable.map(({ id }) => id),
    )
    const wanted = linkable.filter(({ id }) => known.has(id) || (counted.get(id) ?? 0) < MOST_LINKS_OF_BUG)
    const added = wanted.filter(({ id }) => !known.has(id))
    if (before === undefined && added.length === 0) return { linked: [], leftOut: named.length, refusals: [] }
    // Another transaction can have made it since it was looked for; then this report is applied again, after that one.
    if (before === undefined && !(await insertChange(tx, source.id, after)))
      throw new Error('The change is being linked')
    const stored = before ?? (await lockChange(tx, source.id, report.key))
    if (stored === undefined) throw new Error('The change was deleted while it was linked')
    await saveChange(tx, stored.id, after)
    if (isNewest) {
      await saveLinks(tx, stored.id, wanted, timeNow())
      const isNamed = new Set(named.map(({ id }) => id))
      const unnamed = report.names === undefined ? [] : linkedBefore.filter(({ id }) => !isNamed.has(id))
      await deleteLinks(
        tx,
        stored.id,
        unnamed.map(({ id }) => id),
      )
      if (unnamed.length > 0) await deleteUnlinkedChange(tx, stored.id)
    }
    const linked = isNewest ? added.map(({ id }) => id) : []
    const isMerged = after.state === 'merged' && before?.state !== 'merged'
    const refusals: string[] = []
    for (const id of linked) refusals.push(...(await commentOn(current, source, report, id)))
    const landed = isMerged ? wanted : after.state === 'merged' ? added : []
    for (const bug of landed) refusals.push(...(await resolveBug(current, source, report, bug)))
    return { linked, leftOut: named.length - wanted.length, refusals }
  })
}

/** Everybody who sees the bug would read them. */
function withoutTexts({ is_private }: CodeSource, change: ReturnType<typeof changeAfter>) {
  if (!is_private) return change
  return { ...change, title: '', author: '', details: { ...change.details, labels: [] } }
}

/** The named bugs that the account of the source sees, in products that it may change and that the source may touch. */
async function linkableBugs(
  { db, caller, settings }: ActingContext,
  { products }: CodeSource,
  named: readonly NamedBug[],
): Promise<NamedBug[]> {
  const ids = named.map(({ id }) => id)
  const seen = ids.length === 0 ? [] : await listAttachmentBugs(db, settings, viewerOf(caller), ids)
  const isAllowed = (productId: number) => products.length === 0 || products.some(({ id }) => id === productId)
  const linkable = new Set(
    seen.filter(({ is_editable, product_id }) => is_editable === 1 && isAllowed(product_id)).map(({ id }) => id),
  )
  return named.filter(({ id }) => linkable.has(id))
}

/** Stores the result of a check with the changes whose newest commit it is about. Returns how many these are. */
export function applyChecks(acting: ActingContext, source: CodeSource, checks: ReportedChecks): Promise<number> {
  return acting.db.transaction(async (tx) => {
    const changes = await lockChangesAt(tx, source.id, checks.head, checks.repository)
    for (const change of changes) await saveChange(tx, change.id, changeAfterChecks(change, checks))
    return changes.length
  })
}
