import type { BugChange } from '../../changes/record-bug-changes.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { type Dependency, deleteDependencies, insertDependencies, listDependenciesBelow } from './dependency-store.ts'

/** Dependencies that one change adds and removes. */
export interface DependencyChange {
  added: readonly Dependency[]
  removed: readonly Dependency[]
}

/**
 * Adds and removes dependencies. Throws 116 if bugs would depend on each other in a circle. Other bugs may be part of the circle, so
 * transactions that add dependencies run one after another ('links'). Returns the lines of history, which the caller writes.
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

/** The error names only the two bugs of the request, because the caller may not be able to see the others in the circle. */
function requireNoLoop(added: readonly Dependency[], all: readonly Dependency[]) {
  const waitsFor = Map.groupBy(all, (it) => it.blocked_id)
  for (const { blocked_id, depends_on_id } of added) {
    const reached = new Set([depends_on_id])
    for (const id of reached) for (const next of waitsFor.get(id) ?? []) reached.add(next.depends_on_id)
    if (reached.has(blocked_id)) throw errors.dependency_loop({ ids: [blocked_id, depends_on_id] })
  }
}

/** The lines of history: for each bug one line for `depends_on` and one for `blocks`. */
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
