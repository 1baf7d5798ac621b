import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** A flag with the product and component of its bug. */
export interface FlagOnBug {
  id: number
  type_id: number
  /** Name of the type. */
  name: string
  bug_id: number
  attachment_id: number | null
  status: '?' | '+' | '-'
  setter_id: number
  requestee: string | null
  product_id: number
  component_id: number
}

const allOfType = statement<{ typeId: number }>()((q, p) => flagsWithBugs(q).where('flags.type_id', '=', p.typeId))

const inapplicableOfType = statement<{ typeId: number }>()((q, p) =>
  inapplicableFlags(q).where('flags.type_id', '=', p.typeId),
)
const inapplicableOnBugs = statement<{ bugIds: string }>()((q, p, d) =>
  inapplicableFlags(q).where('flags.bug_id', 'in', d.integersIn(p.bugIds)),
)

/** The same condition as `!appliesTo`, in SQL. */
function inapplicableFlags(q: Builder) {
  return flagsWithBugs(q).where((flag) => {
    const covering = (kind: 'inclusion' | 'exclusion') =>
      flag.exists(
        flag
          .selectFrom('flag_type_scopes as scope')
          .select('scope.id')
          .whereRef('scope.flag_type_id', '=', 'flags.type_id')
          .where('scope.kind', '=', kind)
          .where((scope) =>
            scope.or([
              scope('scope.product_id', 'is', null),
              scope('scope.product_id', '=', scope.ref('bugs.product_id')),
            ]),
          )
          .where((scope) =>
            scope.or([
              scope('scope.component_id', 'is', null),
              scope('scope.component_id', '=', scope.ref('bugs.component_id')),
            ]),
          ),
      )
    return flag.or([flag.not(covering('inclusion')), covering('exclusion')])
  })
}

function flagsWithBugs(q: Builder) {
  return bugsUnfiltered(q, 'Flags follow their type on every bug, also on bugs that the caller cannot see.')
    .innerJoin('flags', 'flags.bug_id', 'bugs.id')
    .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
    .leftJoin('users as requestees', 'requestees.id', 'flags.requestee_id')
    .select([
      'flags.id',
      'flags.type_id',
      'flag_types.name',
      'flags.bug_id',
      'flags.attachment_id',
      'flags.status',
      'flags.setter_id',
      'requestees.login as requestee',
      'bugs.product_id',
      'bugs.component_id',
    ])
    .orderBy('flags.id')
}

export function listFlagsOfType(tx: Db, typeId: number): Promise<FlagOnBug[]> {
  return tx.all(allOfType, { typeId })
}

const count = statement<{ typeId: number }>()((q, p) =>
  q
    .selectFrom('flags')
    .select((flag) => flag.fn.countAll<number | string>().as('count'))
    .where('type_id', '=', p.typeId),
)

export async function countFlagsOfType(tx: Db, typeId: number): Promise<number> {
  return Number((await tx.first(count, { typeId }))?.count ?? 0)
}

/** Flags of the type on bugs to which it does not apply. */
export function listInapplicableFlags(tx: Db, typeId: number): Promise<FlagOnBug[]> {
  return tx.all(inapplicableOfType, { typeId })
}

/** Flags on these bugs and their attachments whose types do not apply to them. */
export function listInapplicableFlagsOn(tx: Db, bugIds: readonly number[]): Promise<FlagOnBug[]> {
  return tx.all(inapplicableOnBugs, { bugIds: JSON.stringify(bugIds) })
}

const ofTypesOnBugs = statement<{ typeIds: string; bugIds: string }>()((q, p, d) =>
  q
    .selectFrom('flags')
    .select(['type_id', 'bug_id', 'attachment_id'])
    .where('type_id', 'in', d.integersIn(p.typeIds))
    .where('bug_id', 'in', d.integersIn(p.bugIds)),
)

export function listFlagsOnBugs(tx: Db, typeIds: readonly number[], bugIds: readonly number[]) {
  return tx.all(ofTypesOnBugs, { typeIds: JSON.stringify(typeIds), bugIds: JSON.stringify(bugIds) })
}

const directGroups = statement<{ userIds: string }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .select(['user_id', 'group_id'])
    .where('right', '=', 'member')
    .where('user_id', 'in', d.integersIn(p.userIds)),
)

/** The direct groups of each of these users. */
export async function listDirectGroups(tx: Db, userIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await tx.all(directGroups, { userIds: JSON.stringify([...new Set(userIds)]) })
  return new Map(
    [...Map.groupBy(rows, (row) => row.user_id)].map(([user, grants]) => [user, grants.map((row) => row.group_id)]),
  )
}

const moveToType = statement<{ ids: string; typeId: number }>()((q, p, d) =>
  q.updateTable('flags').set({ type_id: p.typeId }).where('id', 'in', d.integersIn(p.ids)),
)
const remove = statement<{ ids: string }>()((q, p, d) => q.deleteFrom('flags').where('id', 'in', d.integersIn(p.ids)))
const withoutRequestees = statement<{ typeId: number }>()((q, p) =>
  q
    .updateTable('flags')
    .set({ requestee_id: null })
    .where('type_id', '=', p.typeId)
    .where('requestee_id', 'is not', null),
)

export async function moveFlagsToType(tx: BugTransaction, ids: readonly number[], typeId: number) {
  await tx.all(moveToType, { ids: JSON.stringify(ids), typeId })
}

export async function deleteFlags(tx: BugTransaction, ids: readonly number[]) {
  await tx.all(remove, { ids: JSON.stringify(ids) })
}

/** Removes the requestees of all requests of the type. The requests stay. */
export async function dropRequestees(tx: BugTransaction, typeId: number) {
  await tx.all(withoutRequestees, { typeId })
}
