import { sql } from 'kysely'
import { idInNeutralNick, nickFrom, nickSkeleton } from '../../../shared/nicks.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

/** How many nicks an account keeps: the one that it has and those that it had before. */
const MOST_KEPT = 10

const MOST_CHOSEN = 5
const DAYS = 30

// One statement, so that of two accounts that take a nick at once one gets it.
const take = statement<{ key: string; nick: string; userId: number; at: string }>()((q, p) =>
  q
    .insertInto('user_nicks')
    .values({ skeleton: p.key, nick: p.nick, user_id: p.userId, chosen_at: p.at })
    .onConflict((conflict) =>
      conflict
        .column('skeleton')
        .doUpdateSet({ nick: p.nick, chosen_at: p.at })
        .where('user_nicks.user_id', '=', p.userId),
    )
    .returning('user_id'),
)

const setNick = statement<{ userId: number; nick: string | null }>()((q, p) =>
  q.updateTable('users').set({ nick: p.nick }).where('id', '=', p.userId),
)

const forgetOldest = statement<{ userId: number; key: string }>()((q, p) =>
  q
    .deleteFrom('user_nicks')
    .where('user_id', '=', p.userId)
    .where('skeleton', '<>', p.key)
    .where(
      sql<boolean>`skeleton not in (select kept.skeleton from user_nicks as kept where kept.user_id = ${p.userId}
        and kept.skeleton <> ${p.key} order by coalesce(kept.chosen_at, '') desc, kept.skeleton limit ${sql.lit(MOST_KEPT - 1)})`,
    ),
)

/** Gives the account a nick that has passed the rules. The nicks that it had lead to it until there are too many. */
export async function takeNick(tx: Db, userId: number, nick: string) {
  if (idInNeutralNick(nick) === userId) {
    await tx.all(setNick, { userId, nick: null })
    return
  }
  const key = nickSkeleton(nick)
  const taken = await tx.first(take, { key, nick, userId, at: timeNow() })
  if (taken === undefined) throw errors.nick_taken({ nick })
  await tx.all(setNick, { userId, nick })
  await tx.all(forgetOldest, { userId, key })
}

const chosen = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('user_nicks')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId)
    .where('chosen_at', '>', p.since),
)

/** Users who change their own nick may take only so many new ones. To be called in a transaction that excludes others like it. */
export async function requireRoomForNick(tx: Db, userId: number) {
  const { count = 0 } = (await tx.first(chosen, { userId, since: secondsAgo(DAYS * 86_400) })) ?? {}
  if (Number(count) >= MOST_CHOSEN) throw errors.nick_changed_too_often({ most: MOST_CHOSEN, days: DAYS })
}

const byKeys = statement<{ keys: string; ids: string }>()((q, p, d) =>
  q
    .selectFrom('user_nicks')
    .select(['skeleton', 'user_id'])
    .where('skeleton', 'in', d.textsIn(p.keys))
    .unionAll(
      q
        .selectFrom('users')
        .select([sql<string>`''`.as('skeleton'), 'users.id as user_id'])
        .where('id', 'in', d.integersIn(p.ids)),
    ),
)

/** The accounts that have these nicks or had them, by the nick as it was given. */
export async function findUserIdsByNicks(db: Db, nicks: readonly string[]): Promise<Map<string, number>> {
  if (nicks.length === 0) return new Map()
  const read = nicks.map((given) => ({ given, nick: nickFrom(given) }))
  const ids = read.flatMap(({ nick }) => idInNeutralNick(nick) ?? [])
  const keys = [...new Set(read.map(({ nick }) => nickSkeleton(nick)))]
  const rows = await db.all(byKeys, { keys: JSON.stringify(keys), ids: JSON.stringify(ids) })
  const byKey = new Map(rows.flatMap((row) => (row.skeleton === '' ? [] : [[row.skeleton, row.user_id]])))
  const existing = new Set(rows.flatMap((row) => (row.skeleton === '' ? [row.user_id] : [])))
  return new Map(
    read.flatMap(({ given, nick }) => {
      const id = idInNeutralNick(nick)
      const found = id !== undefined && existing.has(id) ? id : byKey.get(nickSkeleton(nick))
      return found === undefined ? [] : [[given, found]]
    }),
  )
}
