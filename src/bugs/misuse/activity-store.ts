import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

interface Period {
  userId: number
  since: string
}

/** More is not hidden in one step. */
export const MOST_ITEMS_OF_USER = 1000

const bugs = statement<Period>()((q, p) =>
  q
    .selectFrom('bugs')
    .innerJoin('products', 'products.id', 'bugs.product_id')
    .innerJoin('components', 'components.id', 'bugs.component_id')
    .innerJoin('versions', 'versions.id', 'bugs.version_id')
    .select([
      'bugs.id',
      'bugs.summary',
      'bugs.created_at',
      'products.name as product',
      'components.name as component',
      'versions.name as version',
    ])
    .where('bugs.creator_id', '=', p.userId)
    .where('bugs.created_at', '>=', p.since)
    .orderBy('bugs.id')
    .limit(MOST_ITEMS_OF_USER),
)
const comments = statement<Period>()((q, p) =>
  q
    .selectFrom('comments')
    .select(['id', 'bug_id', 'number', 'at', 'text'])
    .where('user_id', '=', p.userId)
    .where('at', '>=', p.since)
    .orderBy('id')
    .limit(MOST_ITEMS_OF_USER),
)
const attachments = statement<Period>()((q, p) =>
  q
    .selectFrom('attachments')
    .select(['id', 'bug_id', 'created_at', 'file_name', 'summary', 'is_obsolete'])
    .where('user_id', '=', p.userId)
    .where('created_at', '>=', p.since)
    .orderBy('id')
    .limit(MOST_ITEMS_OF_USER),
)

/** What a user wrote since a time. */
export async function readActivity(db: Db, period: Period) {
  return {
    bugs: await db.all(bugs, period),
    comments: await db.all(comments, period),
    attachments: await db.all(attachments, period),
  }
}

/** What was hidden, and where the bugs were. */
export interface HiddenContent {
  comments: number[]
  attachments: number[]
  bugs: HiddenBug[]
}

/** A bug before it was moved. Rows of older releases have neither milestone nor groups. */
export interface HiddenBug {
  id: number
  product: string
  component: string
  version: string
  milestone?: string
  groups?: string[]
}

const GROUP_NAMES = sql`select groups.name as value from bug_groups join groups on groups.id = bug_groups.group_id
  where bug_groups.bug_id = bugs.id order by groups.name`

const locations = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('bugs')
    .innerJoin('milestones', 'milestones.id', 'bugs.milestone_id')
    .select(['bugs.id', 'milestones.name as milestone'])
    .select(d.jsonListOf(GROUP_NAMES).as('groups'))
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

/** The milestone of each bug, and the groups that it is restricted to. */
export async function milestonesAndGroups(tx: BugTransaction, ids: readonly number[]) {
  const rows = await tx.all(locations, { ids: JSON.stringify(ids) })
  return new Map(
    rows.map(({ id, milestone, groups }) => [id, { milestone, groups: JSON.parse(groups) as string[] }] as const),
  )
}

const insert = statement<{ userId: number; at: string; content: string }>()((q, p) =>
  q.insertInto('hidden_activities').values({ user_id: p.userId, at: p.at, content: p.content }).returning('id'),
)
const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('hidden_activities')
    .select(['id', 'at', 'content', 'restored_at'])
    .where('user_id', '=', p.userId)
    .orderBy('id'),
)
const restore = statement<{ id: number; userId: number; at: string }>()((q, p) =>
  q
    .updateTable('hidden_activities')
    .set({ restored_at: p.at })
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('restored_at', 'is', null)
    .returning('content'),
)
const taggedSpam = statement<{ ids: string; tag: string }>()((q, p, d) =>
  q
    .selectFrom('comment_tags')
    .select('comment_id')
    .where('tag_key', '=', p.tag)
    .where('comment_id', 'in', d.integersIn(p.ids)),
)

export async function insertHidden(tx: BugTransaction, userId: number, at: string, content: HiddenContent) {
  return (await tx.first(insert, { userId, at, content: JSON.stringify(content) }))?.id as number
}

export function listHidden(db: Db, userId: number) {
  return db.all(ofUser, { userId })
}

/** Undefined if there is nothing of this id to restore: of two requests, one gets it. */
export async function takeHidden(tx: BugTransaction, id: number, userId: number, at: string) {
  const row = await tx.first(restore, { id, userId, at })
  return row === undefined ? undefined : (JSON.parse(row.content) as HiddenContent)
}

export async function commentsTagged(tx: BugTransaction, ids: readonly number[], tag: string): Promise<Set<number>> {
  const rows = await tx.all(taggedSpam, { ids: JSON.stringify(ids), tag })
  return new Set(rows.map(({ comment_id }) => comment_id))
}
