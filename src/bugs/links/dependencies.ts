import type { BugChange } from '../../changes/record-bug-changes.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { type Dependency, deleteDependencies, insertDependencies, listDependenciesBelow } from './dependency-store.ts'

/** Dependencies that come and go together. */
export interface DependencyChange {
  added: readonly Dependency[]
  removed: readonly Dependency[]
}

/**
 * Writes dependencies and takes others away; 116 when bugs would wait for each other in a circle. Answers the lines that this makes in
 * the history of the bugs at both ends; whoever calls writes them. Other bugs than these may be in the circle, so transactions that add
 * dependencies go one after another ('links').
 */
export async function changeDependencies(tx: BugTransaction, change: DependencyChange): Promise<BugChange[]> {
  if (change.removed.length > 0) await deleteDependencies(tx, change.removed)
  if (change.added.length > 0) {
    requireNoLoop(change.added, change.added)
    await insertDependencies(tx, change.added)
    const starts = [...new Set(change.added.map((it) => it.depends_on_id))]
    requireNoLoop(change.added, await listDependenciesBelow(tx, starts))
  }
  return linesOf(change)
}

/** Neither of the bugs that are named is news to whoever asked for the dependency; others in the circle might be. */
function requireNoLoop(added: readonly Dependency[], all: readonly Dependency[]) {
  const waitsFor = Map.groupBy(all, (it) => it.blocked_id)
  for (const { blocked_id, depends_on_id } of added) {
    const reached = new Set([depends_on_id])
    for (const id of reached) for (const next of waitsFor.get(id) ?? []) reached.add(next.depends_on_id)
    if (reached.has(blocked_id)) throw errors.dependency_loop({ ids: `${blocked_id}, ${depends_on_id}` })
  }
}

/** For each bug one line for all that it waits for, and one for all that waits for it. */
export function linesOf({ added, removed }: DependencyChange): BugChange[] {
  const lines = new Map<string, { bugId: number; field: string; removed: number[]; added: number[] }>()
  const note = (bugId: number, field: string, what: 'added' | 'removed', id: number) => {
    const key = `${bugId} ${field}`
    const line = lines.get(key) ?? { bugId, field, removed: [], added: [] }
    line[what].push(id)
    lines.set(key, line)
  }
  for (const [what, dependencies] of [
    ['removed', removed],
    ['added', added],
  ] as const)
    for (const { blocked_id, depends_on_id } of dependencies) {
      note(blocked_id, 'depends_on', what, depends_on_id)
      note(depends_on_id, 'blocks', what, blocked_id)
    }
  const inWords = (ids: number[]) => ids.sort((a, b) => a - b).join(', ')
  return [...lines.values()].map((line) => ({
    ...line,
    removed: inWords(line.removed),
    added: inWords(line.added),
  }))
}
