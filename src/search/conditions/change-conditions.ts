import { sql } from 'kysely'
import { fieldNameOf, restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { isSignedIn } from '../../access/caller.ts'
import { seesAddresses } from '../../access/visibility/reader-rights.ts'
import { FIELDS_OF_PEOPLE } from '../../bug-fields/recorded-fields.ts'
import { groupsSeenThrough } from '../../people/bless.ts'
import { findUserByLogin } from '../../people/users/user-store.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { textFunctions } from '../../platform/dialects/text-functions.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { dependsOnBug, isPronoun, matchesPronoun } from '../parsing/pronouns.ts'
import type { Criterion, OperatorName } from '../parsing/query.ts'
import { timeIn } from '../parsing/search-dates.ts'
import type { SearchContext } from '../search-context.ts'
import { getSearchable } from '../searchable-fields.ts'
import { FEW_CHANGES_OF_A_FIELD } from '../thresholds.ts'
import { type ComparedValue, text } from './compared.ts'
import { always, type Condition, never, type Sql, withSubquery } from './condition.ts'
import { changesOf, comments, type Items, isOfNoHiddenBug } from './search-items.ts'

/** A condition on a bug, or on one of its items. */
export interface ItemCondition {
  readonly items: Items | undefined
  readonly holds: Condition
  /** An index finds what matches. */
  readonly isIndexed: boolean
}

/** One change of a field. */
interface Change {
  items?: Items
  /** The name of the field in the history; undefined if its changes are not there. */
  recordedAs?: string
  at: Sql
  who: Sql
  removed?: ComparedValue
  added?: ComparedValue
}

type ChangeTest = (
  change: Change,
  input: string,
  context: SearchContext,
  sentAs: string,
) => Condition | Promise<Condition>

/** The test of each operator of the history on a change of the field. */
const CHANGE_OPERATORS = {
  changedbefore: ({ at }, input, { now }, sentAs) => sql`${at} <= ${timeIn(sentAs, input, now)}`,
  changedafter: ({ at }, input, { now }, sentAs) => sql`${at} >= ${timeIn(sentAs, input, now)}`,
  changedfrom: ({ removed }, input) => removed?.equals(input) ?? never,
  changedto: ({ added }, input) => added?.equals(input) ?? never,
  changedby: ({ who }, input, context) => isBy(context, who, input),
  everchanged: () => always,
} as const satisfies Partial<Record<OperatorName, ChangeTest>>

type ChangeOperator = keyof typeof CHANGE_OPERATORS

export function isChangeOperator(name: OperatorName): name is ChangeOperator {
  return Object.hasOwn(CHANGE_OPERATORS, name)
}

/** The operators for which the history has an index. */
const INDEXED_OPERATORS: ReadonlySet<OperatorName> = new Set<OperatorName>(['changedby', 'changedafter'])

export async function changeCondition(
  context: SearchContext,
  { field, value, sentAs = field }: Criterion,
  operator: ChangeOperator,
): Promise<ItemCondition> {
  getSearchable(context, field)
  const name = fieldNameOf(field)
  const change = changeOf(context, name)
  const input = typeof value === 'string' ? value.trim() : value.join(', ')
  const test: ChangeTest = CHANGE_OPERATORS[operator]
  const isIndexed = INDEXED_OPERATORS.has(operator) && !(isPronoun(input) && dependsOnBug(input))
  const { items, recordedAs } = change
  const areFew = recordedAs !== undefined && !isIndexed && (await areChangesFew(context, recordedAs))
  const holds = await test(change, input, context, sentAs)
  return { items: items && areFew ? { ...items, areFew } : items, holds, isIndexed }
}

/** They are counted up to a limit. */
async function areChangesFew({ db }: SearchContext, field: string): Promise<boolean> {
  if (db.dialect.estimatesRows) return false
  const found = await db.first(countOfChanges, { field, most: FEW_CHANGES_OF_A_FIELD + 1 })
  return Number(found?.count ?? 0) <= FEW_CHANGES_OF_A_FIELD
}

const countOfChanges = statement<{ field: string; most: number }>()((q, p) =>
  q
    .selectFrom(q.selectFrom('bug_changes').select('id').where('field', '=', p.field).limit(p.most).as('first'))
    .select(({ fn }) => fn.countAll().as('count')),
)

/** The filing of a bug and its comments are not in the history, but can be searched like changes. */
function changeOf(context: SearchContext, field: string): Change {
  if (field === 'creation_ts') return { at: sql`bugs.created_at`, who: sql`bugs.creator_id` }
  if (field === 'longdesc') return { items: comments(context), at: sql`comments.at`, who: sql`comments.user_id` }
  const name = restNameOf(field)
  const items = changesOf(context, name)
  const [removed, added] = [sql`bug_changes.removed`, sql`bug_changes.added`].map((recorded) =>
    readableValue(context, name, recorded),
  )
  const own = { recordedAs: name, at: sql`bug_changes.at`, who: sql`bug_changes.user_id` }
  const change = { ...own, ...(removed && added && { removed, added }) }
  if (!context.fields.namingBugs.has(name) || !removed || !added) return { ...change, items }
  const readable = sql<boolean>`(${items.readable} and (${removed.isFilled} or ${added.isFilled}))`
  return { ...change, items: { ...items, readable } }
}

/** A recorded value as the caller may see it: without hidden bugs, and with addresses cut where the caller does not see them. */
function readableValue(context: SearchContext, name: string, recorded: Sql): ComparedValue {
  const { dialect } = context.db
  const { listOf, idIn, withoutDomains } = textFunctions(dialect)
  if (!context.fields.namingBugs.has(name)) {
    const isCut = FIELDS_OF_PEOPLE.has(name) && !seesAddresses(context)
    return text(dialect, isCut ? withoutDomains(recorded) : recorded)
  }
  const own = `${context.baseUrl.replace(/\/+$/, '')}/show_bug.cgi?id=`
  // Text that is not exactly a number may still name a bug, so it is kept only where the history is read.
  const isShown = (id: Sql): Condition => sql`(${id} > 0 and ${isOfNoHiddenBug(context, id)})`
  const isKept = (part: Sql): Condition =>
    name === 'see_also'
      ? sql`(substr(${part}, 1, ${sql.lit(own.length)}) <> ${own}
          or ${isShown(idIn(sql`substr(${part}, ${sql.lit(own.length + 1)})`))})`
      : isShown(idIn(part))
  return text(dialect, listOf(recorded, isKept))
}

/** An unknown login is an error only for callers who may see every account. For others it finds nothing, like an account without changes. */
async function isBy(context: SearchContext, who: Sql, input: string): Promise<Condition> {
  if (isPronoun(input)) return matchesPronoun(context, who, input)
  if (!seesAddresses(context)) return isShownAs(context, who, input)
  const user = await findUserByLogin(context.db, input)
  if (user) return sql`${who} = ${user.id}`
  if (!isSignedIn(context.caller) || groupsSeenThrough(context.groups, context.settings, context.caller)) return never
  throw errors.no_such_changer({ login: input })
}

/** Callers who do not see addresses search by the part of a login that they see, as in all other fields of users. */
function isShownAs({ db }: SearchContext, who: Sql, input: string): Condition {
  const { beforeAt } = textFunctions(db.dialect)
  return withSubquery(
    sql`${who} in (select users.id from users where ${beforeAt(sql`users.login_key`)} = ${fold(input)})`,
  )
}
