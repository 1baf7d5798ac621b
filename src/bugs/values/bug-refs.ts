import { sql } from 'kysely'
import {
  bugsUnfiltered,
  bugsVisibleTo,
  isNumberShown,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import { type ApiError, errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'

const byAliases = statement<{ keys: string }>()((q, p, d) =>
  q.selectFrom('bug_aliases').select(['alias_key', 'bug_id']).where('alias_key', 'in', d.textsIn(p.keys)),
)

/** The bug number of each reference, which is a number or an alias; undefined for an unknown alias. */
export async function idsOfRefs(db: Db, refs: readonly string[]): Promise<Map<string, number | undefined>> {
  const [first = ''] = refs
  const only = refs.length === 1 ? idIn(first) : undefined
  if (only !== undefined) return new Map([[first, only]])
  const aliases = refs.filter((ref) => idIn(ref) === undefined).map((ref) => fold(ref.trim()))
  const found = aliases.length === 0 ? [] : await db.all(byAliases, { keys: JSON.stringify(aliases) })
  const byKey = new Map(found.map((row) => [row.alias_key, row.bug_id]))
  return new Map(refs.map((ref) => [ref, idIn(ref) ?? byKey.get(fold(ref.trim()))]))
}

const existing = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'A bug that the caller may not see is refused with another number than one that does not exist.')
    .select('bugs.id')
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

/** The error for a bug that the caller cannot see: no such alias, no such number, or not allowed to see it. */
export async function missingBugError(db: Db, ref: string, id: number | undefined): Promise<ApiError> {
  const [why] = await missingBugErrors(db, [[ref, id]])
  return why as ApiError
}

/** The same for several, in their order. */
export async function missingBugErrors(
  db: Db,
  missing: readonly (readonly [ref: string, id: number | undefined])[],
): Promise<ApiError[]> {
  const ids = missing.flatMap(([, id]) => id ?? [])
  const rows = ids.length === 0 ? [] : await db.all(existing, { ids: JSON.stringify(ids) })
  const exists = new Set(rows.map((row) => row.id))
  return missing.map(([ref, id]) => {
    if (id === undefined) return errors.no_such_alias({ ref })
    return exists.has(id) ? errors.bug_not_visible({ ref }) : errors.no_such_bug({ ref })
  })
}

/** One statement for each combination of the parameters that decide who sees bugs. */
const visible = statementFamily(keyOfRules, (rules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p).select('bugs.id').where('bugs.id', 'in', d.integersIn(p.ids)),
  ),
)

/** The ids among these that the caller may see. */
export async function visibleAmong(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all(visible(rules), { ...viewer, ids: JSON.stringify(ids) })
  return new Set(rows.map((row) => row.id))
}

/** One statement for each combination of the parameters that decide who sees bugs. */
const hidden = statementFamily(keyOfRules, (rules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) =>
    bugsUnfiltered(q, 'The numbers of bugs that exist and that the caller may not see are removed from a response.')
      .select('bugs.id')
      .where('bugs.id', 'in', d.integersIn(p.ids))
      .where(({ not }) => not(isNumberShown(d, rules, p, sql`bugs.id`))),
  ),
)

/** The ids among these of bugs that exist and that the caller may not see. */
export async function hiddenAmong(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all(hidden(rules), { ...viewer, ids: JSON.stringify(ids) })
  return new Set(rows.map((row) => row.id))
}

/** The numbers of the bugs, in the order of the references, each once. Throws the error of the first that the viewer cannot see. */
export async function requireVisibleBugs(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  refs: readonly string[],
): Promise<number[]> {
  const ids = await idsOfRefs(db, refs)
  const seen = await visibleAmong(
    db,
    rules,
    viewer,
    [...ids.values()].flatMap((id) => id ?? []),
  )
  for (const [ref, id] of ids) if (id === undefined || !seen.has(id)) throw await missingBugError(db, ref, id)
  return [...new Set(ids.values())] as number[]
}
