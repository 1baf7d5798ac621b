import { sql } from 'kysely'
import { nickSkeleton, suggestedNicks } from '../../../shared/nicks.ts'
import type { Db } from './db.ts'
import { statement } from './statements/statement.ts'

interface NamedUser {
  id: number
  real_name: string
}

const insertFree = statement<{ rows: string }>()((q, p, d) =>
  q
    .insertInto('user_nicks')
    .columns(['skeleton', 'nick', 'user_id'])
    .expression(
      sql`select skeleton, nick, user_id from ${d.recordsIn(p.rows, { skeleton: 'text', nick: 'text', user_id: 'integer' })} as given where 1 = 1`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
)

const useInserted = statement<{ ids: string }>()((q, p, d) =>
  q
    .updateTable('users')
    .set({ nick: sql<string>`(select user_nicks.nick from user_nicks where user_nicks.user_id = users.id)` })
    .where('id', 'in', d.integersIn(p.ids)),
)

/**
 * Gives each of these accounts, which have had no nick, the first one from its name that is free; without one it keeps its neutral nick. Another
 * transaction that takes the same nick at the same moment gets it or leaves it, because the key is unique.
 */
export async function giveNicks(tx: Db, users: readonly NamedUser[]) {
  let without = users.map(({ id, real_name }) => ({ id, wanted: suggestedNicks(real_name, id) }))
  const given: number[] = []
  while (without.length > 0) {
    const rows = new Map<string, { skeleton: string; nick: string; user_id: number }>()
    for (const { id, wanted } of without) {
      const nick = wanted.shift()
      if (nick !== undefined && !rows.has(nickSkeleton(nick)))
        rows.set(nickSkeleton(nick), { skeleton: nickSkeleton(nick), nick, user_id: id })
    }
    const inserted = rows.size === 0 ? [] : await tx.all(insertFree, { rows: JSON.stringify([...rows.values()]) })
    const ids = new Set(inserted.map((row) => row.user_id))
    given.push(...ids)
    without = without.filter(({ id, wanted }) => wanted.length > 0 && !ids.has(id))
  }
  if (given.length > 0) await tx.all(useInserted, { ids: JSON.stringify(given) })
}
