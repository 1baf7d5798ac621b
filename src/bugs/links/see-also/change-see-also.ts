import type { CallContext } from '../../../access/call.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { ApiError, errors } from '../../../platform/errors.ts'
import { idsOfRefs, requireVisibleBugs } from '../../values/bug-refs.ts'
import { mirrorableBugs } from './mirrorable-bugs.ts'
import { ownAddressOf, readLink } from './see-also.ts'
import { deleteSeeAlso, insertSeeAlso, type SeeAlso } from './see-also-store.ts'

/** Who changes See Also, and at which address we are. */
export type Linker = Pick<CallContext, 'caller' | 'settings' | 'baseUrl'>

/** What these texts mean: 112 for what is no address of a tracker, and the error of a bug of ours that is not there for the caller. */
export async function linksIn(tx: Db, linker: Linker, given: readonly string[]): Promise<SeeAlso[]> {
  const { caller, settings, baseUrl } = linker
  const links = given.map((text) => readLink(text, baseUrl))
  const refs = links.flatMap((link) => ('ref' in link ? link.ref : []))
  if (refs.length > 0) await requireVisibleBugs(tx, settings, viewerOf(caller), refs)
  const ids = await idsOfRefs(tx, refs)
  return links.map((link) => {
    if ('url' in link) return { url: link.url, local_bug_id: null }
    const id = ids.get(link.ref) as number
    return { url: ownAddressOf(id, baseUrl), local_bug_id: id }
  })
}

/** The same for what is to be taken away: texts that mean nothing are left out. */
export async function removableLinksIn(tx: Db, linker: Linker, given: readonly string[]): Promise<SeeAlso[]> {
  const links = []
  for (const text of given) {
    try {
      links.push(...(await linksIn(tx, linker, [text])))
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

/** What was not there before, what is gone, and lines for the history of other bugs that were changed along. */
export interface SeeAlsoChanged {
  added: SeeAlso[]
  removed: SeeAlso[]
  mirrored: BugChange[]
}

/**
 * Changes what stands in See Also of a bug. Bugs of ours that it names, or named, name it or no longer name it in turn, with a line in
 * their history, as far as the caller may change them. Whoever changes the bug writes these lines, and those of the bug itself.
 */
export async function changeSeeAlso(
  tx: BugTransaction,
  linker: Linker,
  change: SeeAlsoChange,
): Promise<SeeAlsoChanged> {
  const { bugId } = change
  if (change.add.some((link) => link.local_bug_id === bugId))
    throw errors.refused({ why: `Bug ${bugId} cannot name itself in See Also` })
  const removed = await eachThat(change.remove, (link) => deleteSeeAlso(tx, bugId, link.url))
  const added = await eachThat(change.add, (link) => insertSeeAlso(tx, bugId, link))
  const others = [...new Set([...added, ...removed].flatMap((link) => link.local_bug_id ?? []))]
  const mirrored = await mirrorableBugs(tx, linker.caller, linker.settings, others)
  const own = { url: ownAddressOf(bugId, linker.baseUrl), local_bug_id: bugId }
  const lines: BugChange[] = []
  const line = (id: number, removed: string, added: string) =>
    lines.push({ bugId: id, field: 'see_also', removed, added })
  for (const id of localIn(removed).filter((other) => mirrored.has(other)))
    if (await deleteSeeAlso(tx, id, own.url)) line(id, own.url, '')
  for (const id of localIn(added).filter((other) => mirrored.has(other)))
    if (await insertSeeAlso(tx, id, own)) line(id, '', own.url)
  return { added, removed, mirrored: lines }
}

function localIn(links: readonly SeeAlso[]): number[] {
  return links.flatMap((link) => link.local_bug_id ?? [])
}

async function eachThat<Item>(items: readonly Item[], does: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const done = []
  for (const item of items) if (await does(item)) done.push(item)
  return done
}
