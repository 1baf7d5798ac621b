import { sql } from 'kysely'
import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import { conditionsFor } from '../../access/visibility/visible-products.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'

/** One statement for each value of the parameter or_groups. */
const open = { true: openProduct(true), false: openProduct(false) }

function openProduct(or_groups: boolean) {
  return statement<{ id: number; groups: string }>()((q, p, d) => {
    const { isSelectable, isEditable } = conditionsFor(d, { or_groups }, p.groups)
    return q
      .selectFrom('products')
      .select('id')
      .where('id', '=', p.id)
      .where(sql<boolean>`(${isSelectable} and ${isEditable})`)
  })
}

/** A user, and the field of the bug that gives them a role in it. */
export interface BugRole {
  field: string
  id: number | null
}

/** The users with a role in a bug. */
export function rolesIn({ assigned_to_id, qa_contact_id }: BugPeople, ccIds: readonly number[]): BugRole[] {
  return [
    { field: 'assigned_to', id: assigned_to_id },
    { field: 'qa_contact', id: qa_contact_id },
    ...ccIds.map((id) => ({ field: 'cc', id })),
  ]
}

type BugPeople = { assigned_to_id: number; qa_contact_id: number | null }

/** With strict_isolation, users with a role in a bug must be able to see its product and change bugs there. Throws 504 otherwise. */
export async function requireIsolation(
  tx: Db,
  { settings, groups }: { settings: Settings; groups: GroupGraph },
  productId: number,
  people: readonly BugRole[],
) {
  if (!settings.strict_isolation) return
  const ids = new Set(people.flatMap(({ id }) => id ?? []))
  for (const user of await listUsersByIds(tx, [...ids])) {
    const own = groups.membership(JSON.parse(user.group_ids) as number[])
    const found = await tx.first(open[`${settings.or_groups}`], {
      id: productId,
      groups: JSON.stringify([...own.ids]),
    })
    if (found === undefined)
      throw errors.user_kept_out({ login: user.login, field: people.find(({ id }) => id === user.id)?.field })
  }
}
