import { type RawBuilder, sql } from 'kysely'
import {
  bugsUnfiltered,
  bugsVisibleTo,
  type ViewerParams,
  type VisibilityRules,
} from '../../../access/visibility/visible-bugs.ts'
import type { Db, LimitedDb } from '../../../platform/database/db.ts'
import type { Builder } from '../../../platform/database/statements/builder.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { fieldOfEveryRole } from '../recipients/mail-events.ts'

const firstFrom = statement<{ id: number }>()((q, p) =>
  q.selectFrom('outbox').select(['id', 'at']).where('id', '>=', p.id).orderBy('id').limit(1),
)
const ends = statement<object>()((q) =>
  q
    .selectFrom('outbox')
    .select([sql<number>`coalesce(min(id), 1)`.as('first'), sql<number>`coalesce(max(id), 0)`.as('last')]),
)

/** The ids of events, and whether these are all that are kept. */
interface EventRange {
  first: number
  last: number
  hasAll: boolean
}

/** The ids of the events since a time. Times have no index, but grow with the ids, so this halves the range. */
export async function eventRangeSince(db: Db, since: string): Promise<EventRange> {
  const range = (await db.first(ends, {})) ?? { first: 1, last: 0 }
  let [low, high] = [range.first, range.last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = await db.first(firstFrom, { id: middle })
    if (event === undefined || event.at >= since) high = middle
    else low = event.id + 1
  }
  return { first: low, last: range.last, hasAll: low === range.first }
}

/** The time of the first event from this id on. */
export async function timeOfEvent(db: Db, id: number): Promise<string | undefined> {
  return (await db.first(firstFrom, { id }))?.at
}

const ccLists = statement<object>()((q) =>
  q.selectFrom('flag_types').select(['id', 'cc_list']).where('cc_list', '<>', ''),
)

/** The flag types that have a CC list, which is text. */
export function listFlagTypesWithCcList(db: Db) {
  return db.all(ccLists, {})
}

/** A user whose events are looked for, with the users whom they watch. */
export interface EventsOf {
  userId: number
  viewer: ViewerParams
  /** This user and the watched ones. */
  userIds: readonly number[]
  logins: readonly string[]
  /** Flag types with the user on their CC list. */
  flagTypeIds: readonly number[]
  watchesAllBugs: boolean
}

/**
 * The ids of at most so many events, newest first, of bugs that the user sees, and which they may have got mail about.
 * It includes all of them and usually few others: who gets mail is decided later.
 */
export async function listEventsOf(
  db: LimitedDb,
  rules: VisibilityRules,
  range: Pick<EventRange, 'first' | 'last'>,
  who: EventsOf,
  most: number,
): Promise<number[]> {
  const rows = await db.querySlowly((q, d) => {
    const visible = bugsVisibleTo(q, d, rules, who.viewer)
      .select('bugs.id')
      .where('bugs.id', '=', sql.ref<number>('outbox.bug_id'))
    const query = q
      .selectFrom('outbox')
      .select('outbox.id')
      .where('outbox.id', '>=', range.first)
      .where('outbox.id', '<=', range.last)
      .where('outbox.kind', '<>', 'bug.delete')
      .where(sql<boolean>`(outbox.kind <> 'comment.update' or ${factsHave('"mentioned":[')})`)
      .orderBy('outbox.id', 'desc')
      .limit(most)
    const concerning = who.watchesAllBugs ? query : query.where(mayConcern(q, d, who))
    return concerning.where(({ exists }) => exists(visible))
  })
  return rows.map(({ id }) => id)
}

function mayConcern(q: Builder, d: Dialect, who: EventsOf): RawBuilder<boolean> {
  const people = d.integersIn(JSON.stringify(who.userIds))
  return sql<boolean>`(outbox.assigned_to_id is null
    or outbox.assigned_to_id in ${people} or outbox.creator_id in ${people} or outbox.qa_contact_id in ${people}
    or exists (select 1 from ${d.integersIn(sql<string>`coalesce(outbox.cc_ids, '[]')`)} as copied where copied.id in ${people})
    or ${aboutOwnFlags(who)} or ${aboutLostRoles(d, who)} or ${aboutDependencies(q, people)} or ${aboutWatches(q, who)})`
}

/** Where the JSON of the facts has this text. A pattern may find too much, never too little. */
function factsHave(text: string): RawBuilder<boolean> {
  return sql<boolean>`outbox.facts like ${`%${text.replace(/[%\\]/g, '_')}%`}`
}

function aboutOwnFlags({ userId, flagTypeIds }: EventsOf) {
  const texts = [`"requestee_id":${userId},`, `"setter_id":${userId}}`, ...flagTypeIds.map((id) => `"type_id":${id},`)]
  return sql<boolean>`(${factsHave('"flags":[{')} and (${sql.join(texts.map(factsHave), sql` or `)}))`
}

/** Users who lost a role are not among the people of the event, but their logins are in its changes. */
function aboutLostRoles(d: Dialect, { logins }: EventsOf) {
  const patterns = logins.map((login) => ({
    pattern: `%${JSON.stringify(login).slice(1, -1).replace(/[%\\]/g, '_')}%`,
  }))
  const named = d.recordsIn(JSON.stringify(patterns), { pattern: 'text' })
  return sql<boolean>`((${sql.join(
    fieldOfEveryRole.map((field) => factsHave(`"${field}"`)),
    sql` or `,
  )}) and exists (select 1 from ${named} as named where outbox.facts like named.pattern))`
}

const WHY = 'It finds events that the user may have got mail about; what they may see of them is checked afterwards.'

/** A bug was opened or closed, and one of these users has a role in a bug that depends on it. */
function aboutDependencies(q: Builder, people: RawBuilder<number>) {
  const blocked = bugsUnfiltered(q, WHY)
    .innerJoin('bug_dependencies', 'bug_dependencies.blocked_id', 'bugs.id')
    .select('bugs.id')
    .where(sql<boolean>`bug_dependencies.depends_on_id = outbox.bug_id`)
    .where(sql<boolean>`(bugs.assigned_to_id in ${people} or bugs.creator_id in ${people} or bugs.qa_contact_id in ${people}
      or exists (select 1 from bug_cc where bug_cc.bug_id = bugs.id and bug_cc.user_id in ${people}))`)
  return sql<boolean>`(${factsHave('"status"')} and exists ${blocked})`
}

/** What the user watches has the bug now, or may have had it before this change. */
function aboutWatches(q: Builder, { userId }: EventsOf) {
  const own = (column: string) =>
    sql`select ${sql.ref(`watches.${column}`)} from watches where watches.user_id = ${userId} and ${sql.ref(`watches.${column}`)} is not null`
  const inWatched = bugsUnfiltered(q, WHY)
    .innerJoin('components', 'components.id', 'bugs.component_id')
    .select('bugs.id')
    .where(sql<boolean>`bugs.id = outbox.bug_id`)
    .where(sql<boolean>`(bugs.component_id in (${own('component_id')}) or components.product_id in (${own('product_id')})
      or exists (select 1 from bug_keywords where bug_keywords.bug_id = bugs.id
        and bug_keywords.keyword_id in (${own('keyword_id')})))`)
  const moves = sql.join(['"product"', '"component"', '"keywords"'].map(factsHave), sql` or `)
  return sql<boolean>`(exists ${inWatched} or ((${moves}) and exists (select 1 from watches where watches.user_id = ${userId})))`
}
