import { sql } from 'kysely'
import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/text/fold.ts'
import type { ListPage } from '../../platform/wire/list-page.ts'
import { idIn } from '../../platform/wire/reference.ts'

export interface PeopleFilter {
  /** Part of a login or real name, or an id. */
  text: string
  isEnabled: boolean | undefined
  hasFactor: boolean | undefined
  /** Members of one of these groups, given in whatever way. */
  memberOfAny: ReadonlySet<number> | undefined
}

/** The accounts that match, the one that is meant exactly first, then those that were seen last, and how many there are in all. */
export async function listPeople(db: LimitedDb, groups: GroupGraph, filter: PeopleFilter, { limit, offset }: ListPage) {
  const rows = await db.querySlowly((q, d) =>
    matching(q, d, filter)
      .select(['users.id', 'users.login', 'users.real_name', 'users.nick', 'users.disabled_text', 'users.created_at'])
      .select(['users.last_seen_on', 'users.has_factor'])
      .select([listOf(d, 'direct').as('given'), listOf(d, 'regexp').as('matched'), listOf(d, 'provider').as('linked')])
      .orderBy(isExactly(filter), 'desc')
      .orderBy(sql`coalesce(users.last_seen_on, '')`, 'desc')
      .orderBy('users.login_key')
      .limit(limit)
      .offset(offset),
  )
  const [counted] = await db.querySlowly((q, d) =>
    matching(q, d, filter).select((row) => row.fn.countAll<number>().as('total')),
  )
  return {
    total: Number(counted?.total ?? 0),
    people: rows.map((row) => ({ ...row, groups: sourcesOf(groups, row) })),
  }
}

function matching(q: Builder, d: Dialect, { text, isEnabled, hasFactor, memberOfAny }: PeopleFilter) {
  let query = q.selectFrom('users')
  const key = fold(text.trim())
  if (key !== '')
    query = query.where((user) =>
      user.or([
        d.contains(sql.ref('users.login_key'), key),
        d.contains(sql.ref('users.real_name_key'), key),
        user('users.id', '=', idIn(key) ?? 0),
      ]),
    )
  if (isEnabled !== undefined) query = query.where('users.disabled_text', isEnabled ? '=' : '!=', '')
  if (hasFactor !== undefined) query = query.where('users.has_factor', '=', hasFactor ? 1 : 0)
  if (memberOfAny !== undefined)
    query = query.where(
      sql<boolean>`exists (select 1 from user_group_grants where user_id = users.id and "right" = 'member' and group_id in ${d.integersIn(JSON.stringify([...memberOfAny]))})`,
    )
  return query
}

/** 1 for the account whose id or login name the text is: many others may contain a short one. */
function isExactly({ text }: PeopleFilter) {
  const key = fold(text.trim())
  return sql<number>`case when users.login_key = ${key} or users.id = ${idIn(key) ?? 0} then 1 else 0 end`
}

function listOf(d: Dialect, source: 'direct' | 'regexp' | 'provider') {
  return d.jsonListOf(
    sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member' and source = ${source}`,
  )
}

/** Why a user is in a group: the first that is true. Only what was given by hand can be taken away by hand. */
export const SOURCES = ['direct', 'regexp', 'provider', 'group'] as const

interface Granted {
  given: string
  matched: string
  linked: string
}

function sourcesOf(groups: GroupGraph, { given, matched, linked }: Granted) {
  const own = [given, matched, linked].map((list) => JSON.parse(list) as number[])
  return groups.membership(own.flat().sort((one, other) => one - other)).list.map((group) => {
    const place = own.findIndex((ids) => ids.includes(group.id))
    return { ...group, source: SOURCES[place === -1 ? SOURCES.length - 1 : place] ?? 'group' }
  })
}
