import type { CallContext } from '../../../access/call.ts'
import { LIST_LIMITS } from '../../../access/list-limits.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { ApiError, errors } from '../../../platform/errors.ts'
import { idsOfRefs, requireVisibleBugs } from '../../values/bug-refs.ts'
import { mirrorableBugs } from './mirrorable-bugs.ts'
import { localBugUrl, readLink } from './see-also.ts'
import { countSeeAlso, deleteSeeAlso, insertSeeAlso, type SeeAlso } from './see-also-store.ts'

/** The caller who changes See Also, and the URL of this installation. */
export type SeeAlsoContext = Pick<CallContext, 'caller' | 'settings' | 'baseUrl'>

/** Parses links. Throws 112 if a text is not the URL of a bug, and an error if the caller cannot see a bug of this installation. */
export async function linksIn(tx: Db, context: SeeAlsoContext, input: readonly string[]): Promise<SeeAlso[]> {
  const { caller, settings, baseUrl } = context
  const links = input.map((text) => readLink(text, baseUrl))
  const refs = links.flatMap((link) => ('ref' in link ? link.ref : []))
  if (refs.length > 0) await requireVisibleBugs(tx, settings, viewerOf(caller), refs)
  const ids = await idsOfRefs(tx, refs)
  return links.map((link) => {
    if ('url' in link) return { url: link.url, local_bug_id: null }
    const id = ids.get(link.ref) as number
    return { url: localBugUrl(id, baseUrl), local_bug_id: id }
  })
}

/** Parses links to remove. Texts that are not links are ignored. */
export async function removableLinksIn(tx: Db, context: SeeAlsoContext, input: readonly string[]): Promise<SeeAlso[]> {
  const links = []
  for (const text of input) {
    try {
      links.push(...(await linksIn(tx, context, [text])))
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    }
  }
  return links
}

/** A change of one bug's See Also. */
export interface SeeAlsoChange {
  bugId: number
  add: readonly SeeAlso[]
  remove: readonly SeeAlso[]
}

/** The links that were really added and removed, and lines of history of other bugs that changed as a consequence. */
export interface SeeAlsoResult {
  added: SeeAlso[]
  removed: SeeAlso[]
  mirrored: BugChange[]
}

/**
 * Changes See Also of a bug. Linked bugs of this installation get or lose the link in the other direction, if the caller may change
 * them and they have room. The caller of this function writes the history of all these bugs.
 */
export async function changeSeeAlso(
  tx: BugTransaction,
  context: SeeAlsoContext,
  change: SeeAlsoChange,
): Promise<SeeAlsoResult> {
  const { bugId } = change
  if (change.add.some((link) => link.local_bug_id === bugId)) throw errors.see_also_is_itself({ bug: bugId })
  const removed = await filterAsync(change.remove, (link) => deleteSeeAlso(tx, bugId, link.url))
  const added = await filterAsync(change.add, (link) => insertSeeAlso(tx, bugId, link))
  const others = [...new Set([...added, ...removed].flatMap((link) => link.local_bug_id ?? []))]
  const mirrored = await mirrorableBugs(tx, context.caller, context.settings, others)
  const own = { url: localBugUrl(bugId, context.baseUrl), local_bug_id: bugId }
  const lines: BugChange[] = []
  const line = (id: number, removed: string, added: string) =>
    lines.push({ bugId: id, field: 'see_also', removed, added })
  for (const id of localIn(removed).filter((other) => mirrored.has(other)))
    if (await deleteSeeAlso(tx, id, own.url)) line(id, own.url, '')
  const counts = await countSeeAlso(tx, localIn(added))
  const hasRoom = (id: number) => (counts.get(id) ?? 0) < LIST_LIMITS.seeAlso.most
  for (const id of localIn(added).filter((other) => mirrored.has(other) && hasRoom(other)))
    if (await insertSeeAlso(tx, id, own)) line(id, '', own.url)
  return { added, removed, mirrored: lines }
}

function localIn(links: readonly SeeAlso[]): number[] {
  return links.flatMap((link) => link.local_bug_id ?? [])
}

async function filterAsync<Item>(items: readonly Item[], does: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const done = []
  for (const item of items) if (await does(item)) done.push(item)
  return done
}
