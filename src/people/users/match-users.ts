import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/fold.ts'
import type { UserRow } from './user-store.ts'

export interface Match {
  /** The user must be a member of one of these groups, directly or by regexp; undefined is no condition. */
  memberOfAny: readonly number[] | undefined
  includesDisabled: boolean
  limit: number
  order: 'login' | 'activity'
}

const SHORTEST = 3

/**
 * Users whose login or real name contains the text, letters of either case. A `*` stands for anything. Disabled accounts count only
 * when asked for, or when the text is their whole login. Text under three characters finds only a whole login.
 */
export function matchUsers(
  db: Db,
  text: string,
  { memberOfAny, includesDisabled, limit, order }: Match,
): Promise<UserRow[]> {
  const key = fold(text.trim())
  return db.querySlowly((q, d) => {
    let query = q
      .selectFrom('users')
      .select(['users.id', 'users.login', 'users.real_name', 'users.disabled_text', 'users.email_enabled'])
      .select(
        d
          .jsonListOf(
            sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`,
          )
          .as('group_ids'),
      )
      .where((user) => {
        const isExact = user('login_key', '=', key)
        if ([...key.replaceAll('*', '')].length < SHORTEST) return isExact
        const contains = user.or([user('login_key', 'like', likeOf(key)), user('real_name_key', 'like', likeOf(key))])
        return user.or([isExact, includesDisabled ? contains : user.and([contains, user('disabled_text', '=', '')])])
      })
      .limit(limit)
    if (memberOfAny !== undefined) {
      const ids = d.integersIn(JSON.stringify(memberOfAny))
      query = query.where(
        sql<boolean>`exists (select 1 from user_group_grants where user_id = users.id and "right" = 'member' and group_id in ${ids})`,
      )
    }
    if (order === 'activity') query = query.orderBy(sql`coalesce(users.last_seen_on, '')`, 'desc')
    return query.orderBy('login_key')
  })
}

/** The pattern's own signs are escaped; the reader's `*` becomes the sign for anything. */
function likeOf(key: string) {
  const literal = key.replace(/[\\%_]/g, (sign) => `\\${sign}`)
  return sql<string>`${literal.includes('*') ? literal.replaceAll('*', '%') : `%${literal}%`} escape '\\'`
}
