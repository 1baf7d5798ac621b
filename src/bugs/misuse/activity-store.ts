import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import type { ChangedFlag } from './changed-flags.ts'

interface Period {
  userId: number
  since: string
}

/** The largest number of bugs, comments and attachments that are hidden in one step. */
export const MOST_ITEMS_OF_USER = 1000
const COMMENTS_AT_ONCE = 50

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
const comments = statement<Period & { after: number }>()((q, p) =>
  q
    .selectFrom('comments')
    .select(['id', 'bug_id', 'number', 'at', 'text'])
    .where('user_id', '=', p.userId)
    .where('at', '>=', p.since)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(COMMENTS_AT_ONCE),
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

/** Comments can be long, so other requests run between two portions. */
async function listComments(db: Db, period: Period) {
  const found: (typeof comments)['row'][] = []
  while (found.length < MOST_ITEMS_OF_USER) {
    const portion = await db.all(comments, { ...period, after: found.at(-1)?.id ?? 0 })
    found.push(...portion)
    if (portion.length < COMMENTS_AT_ONCE) break
    if (isTurnLong()) await laterTurn()
  }
  return found
}

/** What a user wrote since a time. */
export async function readActivity(db: Db, period: Period) {
  return {
    bugs: await db.all(bugs, period),
    comments: await listComments(db, period),
    attachments: await db.all(attachments, period),
  }
}

/** What was hidden, and what it was before. */
export interface HiddenContent {
  comments: number[]
  attachments: number[]
  bugs: HiddenBug[]
  /** Missing in rows of older releases. */
  flags?: ChangedFlag[]
}

/** A bug before it was moved. Rows of older releases have no `move`, and some have neither milestone nor groups. */
export interface HiddenBug {
  id: number
  product: string
  component: string
  version: string
  milestone?: string
  groups?: string[]
  move?: HiddenMove
}

/** What a move changed, by ids, because names may change before the bug is moved back. */
export interface HiddenMove {
  from: LocationIds
  to: LocationIds
  groupsLost: number[]
  groupsAdded: number[]
  ccAdded: number[]
}

export interface LocationIds {
  product_id: number
  component_id: number
  version_id: number
  milestone_id: number
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

/** Undefined if there is nothing of this id to restore. Of two parallel requests, only one gets it. */
export async function takeHidden(tx: BugTransaction, id: number, userId: number, at: string) {
  const row = await tx.first(restore, { id, userId, at })
  return row === undefined ? undefined : (JSON.parse(row.content) as HiddenContent)
}

export async function commentsTagged(tx: BugTransaction, ids: readonly number[], tag: string): Promise<Set<number>> {
  const rows = await tx.all(taggedSpam, { ids: JSON.stringify(ids), tag })
  return new Set(rows.map(({ comment_id }) => comment_id))
}

const attachmentStates = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('attachments')
    .select(['id', 'bug_id', 'is_obsolete', 'is_private'])
    .where('id', 'in', d.integersIn(p.ids))
    .orderBy('id'),
)

/** Those of the attachments that still exist. */
export function listAttachmentStates(tx: BugTransaction, ids: readonly number[]) {
  return tx.all(attachmentStates, { ids: JSON.stringify(ids) })
}

const names = statement<LocationIds>()((q, p) =>
  q
    .selectFrom('products')
    .leftJoin('components', (join) => join.on('components.id', '=', p.component_id))
    .leftJoin('versions', (join) => join.on('versions.id', '=', p.version_id))
    .leftJoin('milestones', (join) => join.on('milestones.id', '=', p.milestone_id))
    .select(['products.name as product', 'components.name as component', 'versions.name as version'])
    .select('milestones.name as milestone')
    .where('products.id', '=', p.product_id),
)
const groupNames = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('groups').select(['id', 'name']).where('id', 'in', d.integersIn(p.ids)).orderBy('name_key'),
)

/** The current names of a location. A part that was deleted has none. */
export function readLocationNames(tx: BugTransaction, ids: LocationIds) {
  return tx.first(names, ids)
}

export function listGroupNames(tx: BugTransaction, ids: readonly number[]) {
  return tx.all(groupNames, { ids: JSON.stringify(ids) })
}
