import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { ListPage } from '../../platform/wire/list-page.ts'
import { MOST_ITEMS_OF_USER } from './activity-store.ts'

export interface NewAccountFilter extends ListPage {
  /** Created at this time or later. */
  since: string
  hasWritten: boolean | undefined
  /** Those who joined at this time or later are limited, unless they are in one of these groups. */
  limitedSince: string
  unlimitedGroups: ReadonlySet<number>
}

/** Whose columns say who wrote it. Counting reads only the index. */
const WRITTEN = { bugs: 'creator_id', comments: 'user_id', attachments: 'user_id' } as const

/** The youngest accounts first, with what each wrote: counted up to a number, so that the cost of a row is bounded. */
export async function listNewAccounts(db: LimitedDb, filter: NewAccountFilter) {
  const accounts = await db.querySlowly((q, d) =>
    matching(q, filter)
      .select(['users.id', 'users.login', 'users.real_name', 'users.disabled_text', 'users.created_at'])
      .select([
        sql<number>`case when ${isLimited(d, filter)} then 1 else 0 end`.as('is_limited'),
        sql<number>`case when ${IS_HIDDEN} then 1 else 0 end`.as('is_hidden'),
        countOf('bugs').as('bugs'),
        countOf('comments').as('comments'),
        countOf('attachments').as('attachments'),
      ])
      .orderBy('users.created_at', 'desc')
      .orderBy('users.id', 'desc')
      .limit(filter.limit)
      .offset(filter.offset),
  )
  const [counted] = await db.querySlowly((q) =>
    matching(q, filter).select((row) => row.fn.countAll<number>().as('total')),
  )
  return { total: Number(counted?.total ?? 0), accounts }
}

function matching(q: Builder, { since, hasWritten }: NewAccountFilter) {
  const found = q.selectFrom('users').where('users.created_at', '>=', since)
  if (hasWritten === undefined) return found
  const any = sql.join(
    (Object.keys(WRITTEN) as Kind[]).map((kind) => sql`exists (${rowsOf(kind)})`),
    sql` or `,
  )
  return found.where(hasWritten ? sql<boolean>`(${any})` : sql<boolean>`not (${any})`)
}

type Kind = keyof typeof WRITTEN

function rowsOf(kind: Kind) {
  return sql`select 1 from ${sql.table(kind)} where ${sql.ref(WRITTEN[kind])} = users.id`
}

function countOf(kind: Kind) {
  return sql<number>`(select count(*) from (${rowsOf(kind)} limit ${sql.lit(MOST_ITEMS_OF_USER)}) as counted)`
}

/** Whether something of the user is hidden now. */
const IS_HIDDEN = sql`exists (select 1 from hidden_activities where user_id = users.id and restored_at is null)`

function isLimited(d: Dialect, { limitedSince, unlimitedGroups }: NewAccountFilter) {
  const groups = d.integersIn(JSON.stringify([...unlimitedGroups]))
  return sql`users.joined_at >= ${limitedSince} and not exists (select 1 from user_group_grants
    where user_id = users.id and "right" = 'member' and group_id in ${groups})`
}
