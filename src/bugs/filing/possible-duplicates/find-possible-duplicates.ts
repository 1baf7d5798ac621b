import type { CallContext } from '../../../access/call.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { listBugViews, newReadState } from '../../reading/bug-view-store.ts'
import { requireVisibleBugs } from '../../values/bug-refs.ts'
import { type DuplicateCandidate, listCandidates, listDuplicated } from './possible-duplicate-store.ts'
import { significantWords, similarity } from './similarity.ts'

export const MOST_DUPLICATES = 25

export interface WantedDuplicates {
  summary: string | undefined
  id: string | undefined
  product: readonly string[] | undefined
  limit: number | undefined
}

type ReaderContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/** Bugs with a similar summary, the most similar first, and the newest first among equals. */
export async function findPossibleDuplicates(
  context: ReaderContext & Pick<CallContext, 'request'>,
  wanted: WantedDuplicates,
): Promise<number[]> {
  const { db, caller, settings } = context
  const limit = limitIn(wanted.limit)
  const viewer = viewerOf(caller)
  const [own] = wanted.id === undefined ? [] : await requireVisibleBugs(db, settings, viewer, [wanted.id])
  const words = significantWords(await summaryFor(context, wanted, own))
  const products = wanted.product?.map((name) => fold(name.trim()))
  const candidates = await listCandidates(db.within(context.request.readLimits), settings, viewer, words, products)
  const targets = await finalTargets(context, inOrder(candidates, new Set(words)))
  return targets.filter((id) => id !== own).slice(0, limit)
}

function limitIn(input: number | undefined): number {
  if (input !== undefined && input < 1) throw errors.number_too_small({ name: 'limit', value: input, least: '1' })
  return Math.min(input ?? MOST_DUPLICATES, MOST_DUPLICATES)
}

async function summaryFor(
  { db, caller, settings }: ReaderContext,
  { summary }: WantedDuplicates,
  own: number | undefined,
): Promise<string> {
  if (summary !== undefined && summary.trim() !== '') return summary
  if (own === undefined) throw errors.one_of_required({ names: ['summary', 'id'] })
  const query = { db, rules: settings, viewer: viewerOf(caller), parts: new Set<never>(), state: newReadState() }
  const [bug] = await listBugViews(query, [own])
  return bug?.summary ?? ''
}

function inOrder(candidates: readonly DuplicateCandidate[], words: ReadonlySet<string>): DuplicateCandidate[] {
  const scored = candidates
    .map((bug) => ({ bug, score: similarity(words, bug.summary) }))
    .filter(({ score }) => score > 0)
  return scored.sort((a, b) => b.score - a.score || b.bug.id - a.bug.id).map(({ bug }) => bug)
}

/** Replaces duplicates by the bug at the end of their chain, as far as the caller may see the bugs of the chain. */
async function finalTargets(
  { db, caller, settings }: ReaderContext,
  bugs: readonly DuplicateCandidate[],
): Promise<number[]> {
  const duplicateOf = new Map(bugs.map(({ id, dupe_of_id }) => [id, dupe_of_id]))
  for (;;) {
    const unknown = [...new Set(duplicateOf.values())].filter((id): id is number => id !== null && !duplicateOf.has(id))
    if (unknown.length === 0) break
    const seen = new Map((await listDuplicated(db, settings, viewerOf(caller), unknown)).map((bug) => [bug.id, bug]))
    for (const id of unknown) {
      const bug = seen.get(id)
      if (bug) duplicateOf.set(id, bug.dupe_of_id)
      else for (const [from, to] of duplicateOf) if (to === id) duplicateOf.set(from, null)
    }
  }
  const endOf = (id: number): number => {
    const next = duplicateOf.get(id) ?? null
    return next === null ? id : endOf(next)
  }
  return [...new Set(bugs.map(({ id }) => endOf(id)))]
}
