import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import { fold } from '../../platform/text/fold.ts'
import type { UserRow } from './user-store.ts'

export interface Match {
  /** The user must be a member of one of these groups, directly or by regexp; undefined is no condition. */
  memberOfAny: ReadonlySet<number> | undefined
  /** The same, except that callers always find themselves; undefined if every user is visible. */
  seenThrough: ReadonlySet<number> | undefined
  callerId: number | null
  includesDisabled: boolean
  /** Undefined is no limit. */
  limit: number | undefined
  order: 'login' | 'activity'
  /** If the text is the beginning of a nick: the users who have or had it as a whole. */
  withNick?: readonly number[]
}

const SHORTEST_MATCH = 3
/** Longer than any login or real name, so that longer text matches none. */
const LONGEST_MATCH = 1000

/**
 * Users whose login or real name, or for suggestions nick, contains the text, ignoring case. If the text has a `*`, which stands for any text, it
 * must match the whole name. Disabled accounts match only on request or by their whole login. Text under three
 * characters without a `*` matches only a whole login.
 */
export async function matchUsers(
  db: LimitedDb,
  text: string,
  { memberOfAny, seenThrough, callerId, includesDisabled, limit, order, withNick }: Match,
): Promise<UserRow[]> {
  const key = fold(text.trim()).replace(/\*+/g, '*')
  if (key.replaceAll('*', '').length > LONGEST_MATCH) return []
  return db.querySlowly((q, d) => {
    let query = q
      .selectFrom('users')
      .select([
        'users.id',
        'users.login',
        'users.real_name',
        'users.nick',
        'users.disabled_text',
        'users.email_enabled',
      ])
      .select(
        d
          .jsonListOf(
            sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`,
          )
          .as('group_ids'),
      )
      .where((user) => {
        if (withNick !== undefined)
          return user.or([
            user('users.id', 'in', d.integersIn(JSON.stringify(withNick))),
            user.and([user('nick', '>=', key), user('nick', '<', `${key}\uffff`), user('disabled_text', '=', '')]),
          ])
        const isExact = user('login_key', '=', key)
        if (!key.includes('*') && isTooShortToMatch(key)) return isExact
        const contains = user.or([
          user('login_key', 'like', likeOf(key)),
          user('real_name_key', 'like', likeOf(key)),
          ...(order === 'activity' ? [user('nick', 'like', likeOf(key))] : []),
        ])
        return user.or([isExact, includesDisabled ? contains : user.and([contains, user('disabled_text', '=', '')])])
      })
    if (limit !== undefined) query = query.limit(limit)
    const isIn = (groups: ReadonlySet<number>) =>
      sql<boolean>`exists (select 1 from user_group_grants where user_id = users.id and "right" = 'member' and group_id in ${d.integersIn(JSON.stringify([...groups]))})`
    if (memberOfAny !== undefined) query = query.where(isIn(memberOfAny))
    if (seenThrough !== undefined)
      query = query.where((user) => user.or([user('users.id', '=', callerId ?? 0), isIn(seenThrough)]))
    if (order === 'activity') query = query.orderBy(matchOf(key)).orderBy(sql`coalesce(users.last_seen_on, '')`, 'desc')
    return query.orderBy('login_key')
  })
}

export function isTooShortToMatch(text: string) {
  return [...text].length < SHORTEST_MATCH
}

/** Exact matches first, then names that begin with the text, so that a limit never cuts off the user whose name was typed. */
function matchOf(key: string) {
  const begins = likeOf(`${key.replaceAll('*', '')}*`)
  return sql<number>`case when ${key} in (login_key, real_name_key, coalesce(nick, '')) then 0 when login_key like ${begins} or real_name_key like ${begins} or nick like ${begins} then 1 else 2 end`
}

/** Escapes the special characters of LIKE, and turns `*` into `%`. */
function likeOf(key: string) {
  const literal = key.replace(/[\\%_]/g, (sign) => `\\${sign}`)
  return sql<string>`${literal.includes('*') ? literal.replaceAll('*', '%') : `%${literal}%`} escape '\\'`
}
