import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { fold } from '../../platform/text/fold.ts'
import type { ChangedFlag } from './changed-flags.ts'

interface Period {
  userId: number
  since: string
}

/** Which part of it is read. */
interface Portion {
  /** Nothing that is hidden already: no comments with the tag, no obsolete attachments, no bugs in the product of this name. */
  isUnhidden?: boolean
  exceptProduct?: string
  /** So many characters of each comment. */
  longestText?: number
}

/** Comments with this tag are hidden; pages collapse them. */
export const SPAM = 'spam'
/** The largest number of bugs, comments and attachments that are hidden in one step. */
export const MOST_ITEMS_OF_USER = 1000
const COMMENTS_AT_ONCE = 50
const ANY_LENGTH = 1_000_000_000

const bugs = statement<Period & { exceptKey: string }>()((q, p) =>
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
    .where('products.name_key', '!=', p.exceptKey)
    .orderBy('bugs.id')
    .limit(MOST_ITEMS_OF_USER),
)
const isTagged = sql<number>`exists (select 1 from comment_tags where comment_id = comments.id and tag_key = ${sql.lit(SPAM)})`
// In the order of the index of users and times, so that each portion reads only its own rows.
const commentsOf = (isUnhidden: boolean) =>
  statement<Period & { after: number; longest: number }>()((q, p) => {
    const found = q
      .selectFrom('comments')
      .select(['id', 'bug_id', 'number', 'at'])
      .select([
        sql<string>`substr(text, 1, cast(${p.longest} as integer))`.as('text'),
        sql<number>`case when ${isTagged} then 1 else 0 end`.as('is_hidden'),
      ])
      .where('user_id', '=', p.userId)
      .where('at', '>=', p.since)
      .where((row) => row.or([row('at', '>', p.since), row('id', '>', p.after)]))
      .orderBy('at')
      .orderBy('id')
      .limit(COMMENTS_AT_ONCE)
    return isUnhidden ? found.where(sql<boolean>`not ${isTagged}`) : found
  })
const allComments = commentsOf(false)
const unhiddenComments = commentsOf(true)
const attachments = statement<Period & { obsolete: number }>()((q, p) =>
  q
    .selectFrom('attachments')
    .select(['id', 'bug_id', 'created_at', 'file_name', 'summary', 'is_obsolete'])
    .where('user_id', '=', p.userId)
    .where('created_at', '>=', p.since)
    .where('is_obsolete', '<=', p.obsolete)
    .orderBy('id')
    .limit(MOST_ITEMS_OF_USER),
)

/** Comments can be long, so other requests run between two portions. */
async function listComments(db: Db, period: Period, { isUnhidden = false, longestText = ANY_LENGTH }: Portion) {
  const comments = isUnhidden ? unhiddenComments : allComments
  const found: (typeof allComments)['row'][] = []
  while (found.length < MOST_ITEMS_OF_USER) {
    const last = found.at(-1)
    const from = { userId: period.userId, since: last?.at ?? period.since, after: last?.id ?? 0 }
    const portion = await db.all(comments, { ...from, longest: longestText })
    found.push(...portion)
    if (portion.length < COMMENTS_AT_ONCE) break
    if (isTurnLong()) await laterTurn()
  }
  return found
}

/** What a user wrote since a time, the oldest first. */
export async function readActivity(db: Db, period: Period, portion: Portion = {}) {
  const { isUnhidden = false, exceptProduct = '' } = portion
  return {
    bugs: await db.all(bugs, { ...period, exceptKey: fold(exceptProduct.trim()) }),
    comments: await listComments(db, period, portion),
    attachments: await db.all(attachments, { ...period, obsolete: isUnhidden ? 0 : 1 }),
  }
}

const lockUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

/** Of two administrators who hide or restore the same user at once, one waits and finds what the other has done. After the bugs, as writers lock them. */
export async function lockActivityOf(tx: BugTransaction, userId: number) {
  await tx.all(lockUser, { id: userId })
}

/** What was hidden, and what it was before. */
export interface HiddenContent {
  comments: number[]
  attachments: number[]
  bugs: HiddenBug[]
  /** Missing in rows of older releases. */
  flags?: ChangedFlag[]
  /** Those that nobody had decided. Missing in rows of older releases. */
  proposals?: number[]
  /** With what the account was disabled in the same step; missing if it was not. */
  deniedText?: string
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

const untag = statement<{ ids: string; tag: string }>()((q, p, d) =>
  q
    .deleteFrom('comment_tags')
    .where('tag_key', '=', p.tag)
    .where('comment_id', 'in', d.integersIn(p.ids))
    .returning('comment_id'),
)

/** Removes the tag from comments, and returns those that had it. */
export async function untagSpam(tx: BugTransaction, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.all(untag, { ids: JSON.stringify(ids), tag: SPAM })
  return rows.map(({ comment_id }) => comment_id)
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
