import { sql } from 'kysely'
import { isSignedIn } from '../access/caller.ts'
import { seesAddresses } from '../access/reader.ts'
import { FIELD_TYPE } from '../catalogue/fields/field.ts'
import { fieldNameOf, interfaceNameOf } from '../catalogue/fields/field-names.ts'
import { groupsSeenThrough } from '../people/bless.ts'
import { findUserByLogin } from '../people/users/user-store.ts'
import { textFunctions } from '../platform/dialects/text-functions.ts'
import { errors } from '../platform/errors.ts'
import { fold } from '../platform/fold.ts'
import { type Compared, text } from './compared.ts'
import { always, type Condition, never, type Sql } from './conditions.ts'
import { dependsOnBug, isMeant, isPronoun } from './pronouns.ts'
import type { Criterion, OperatorName } from './query.ts'
import { timeIn } from './search-dates.ts'
import { changesOf, comments, type Items, isOfSeenBug } from './search-items.ts'
import type { SearchScene } from './search-scene.ts'
import { getSearchable } from './searchable-fields.ts'

/** What is asked of a bug, or of each of its items. */
export interface ItemAsked {
  readonly items: Items | undefined
  readonly holds: Condition
  /** An index leads to what is asked for. */
  readonly isPointed: boolean
}

/** What is known of one change. */
interface Change {
  items?: Items
  at: Sql
  who: Sql
  removed?: Compared
  added?: Compared
}

type Ask = (change: Change, given: string, scene: SearchScene, sentAs: string) => Condition | Promise<Condition>

/** What each operator of history asks about a change of the field. */
const CHANGE_OPERATORS = {
  changedbefore: ({ at }, given, { now }, sentAs) => sql`${at} <= ${timeIn(sentAs, given, now)}`,
  changedafter: ({ at }, given, { now }, sentAs) => sql`${at} >= ${timeIn(sentAs, given, now)}`,
  changedfrom: ({ removed }, given) => removed?.equals(given) ?? never,
  changedto: ({ added }, given) => added?.equals(given) ?? never,
  changedby: ({ who }, given, scene) => isBy(scene, who, given),
  everchanged: () => always,
} as const satisfies Partial<Record<OperatorName, Ask>>

type ChangeOperator = keyof typeof CHANGE_OPERATORS

export function isChangeOperator(name: OperatorName): name is ChangeOperator {
  return Object.hasOwn(CHANGE_OPERATORS, name)
}

/** Which of the operators an index of history serves. */
const POINTED: ReadonlySet<OperatorName> = new Set<OperatorName>(['changedby', 'changedafter'])

export async function changeAsked(
  scene: SearchScene,
  { field, value, sentAs = field }: Criterion,
  operator: ChangeOperator,
): Promise<ItemAsked> {
  getSearchable(scene, field)
  const change = changeOf(scene, fieldNameOf(field))
  const given = typeof value === 'string' ? value.trim() : value.join(', ')
  const ask: Ask = CHANGE_OPERATORS[operator]
  const isPointed = POINTED.has(operator) && !(isPronoun(given) && dependsOnBug(given))
  return { items: change.items, holds: await ask(change, given, scene, sentAs), isPointed }
}

/** A bug is made once, and comments are only added: neither is in the history. */
function changeOf(scene: SearchScene, field: string): Change {
  if (field === 'creation_ts') return { at: sql`bugs.created_at`, who: sql`bugs.creator_id` }
  if (field === 'longdesc') return { items: comments(scene), at: sql`comments.at`, who: sql`comments.user_id` }
  const name = interfaceNameOf(field)
  const items = changesOf(scene, name)
  const [removed, added] = [sql`bug_changes.removed`, sql`bug_changes.added`].map((told) => toldTo(scene, name, told))
  const change = { at: sql`bug_changes.at`, who: sql`bug_changes.user_id`, ...(removed && added && { removed, added }) }
  if (!namesBugs(scene, name) || !removed || !added) return { ...change, items }
  const readable = sql<boolean>`(${items.readable} and (${removed.isFilled} or ${added.isFilled}))`
  return { ...change, items: { ...items, readable } }
}

/** The fields whose values are other bugs. */
function namesBugs({ fields }: SearchScene, name: string) {
  return ['depends_on', 'blocks', 'see_also', 'dupe_of'].includes(name) || fields.named(name)?.type === FIELD_TYPE.bugId
}

const NAME_PEOPLE: ReadonlySet<string> = new Set(['assigned_to', 'qa_contact', 'cc', 'flagtypes.name'])

/** What history tells the reader: nothing about bugs that they may not see, and of addresses what they are shown elsewhere. */
function toldTo(scene: SearchScene, name: string, told: Sql): Compared {
  const { dialect } = scene.db
  const { listOf, idIn, withoutDomains } = textFunctions(dialect)
  if (!namesBugs(scene, name)) {
    const isCut = NAME_PEOPLE.has(name) && !seesAddresses(scene)
    return text(dialect, isCut ? withoutDomains(told) : told)
  }
  const own = `${scene.baseUrl.replace(/\/+$/, '')}/show_bug.cgi?id=`
  const isKept = (part: Sql): Condition =>
    name === 'see_also'
      ? sql`(substr(${part}, 1, ${sql.lit(own.length)}) <> ${own}
          or ${isOfSeenBug(scene, idIn(sql`substr(${part}, ${sql.lit(own.length + 1)})`))})`
      : isOfSeenBug(scene, idIn(part))
  return text(dialect, listOf(told, isKept))
}

/** An unknown login is an error only for callers who may know of every account: for others it finds nothing, as an idle account does. */
async function isBy(scene: SearchScene, who: Sql, given: string): Promise<Condition> {
  if (isPronoun(given)) return isMeant(scene, who, given)
  if (!seesAddresses(scene)) return isShownAs(scene, who, given)
  const user = await findUserByLogin(scene.db, given)
  if (user) return sql`${who} = ${user.id}`
  if (!isSignedIn(scene.caller) || groupsSeenThrough(scene.groups, scene.settings, scene.caller)) return never
  throw errors.no_such_changer({ login: given })
}

/** Callers who see no addresses ask by what they see of a login, as in all other fields of people. */
function isShownAs({ db }: SearchScene, who: Sql, given: string): Condition {
  const { beforeAt } = textFunctions(db.dialect)
  return sql`${who} in (select users.id from users where ${beforeAt(sql`users.login_key`)} = ${fold(given)})`
}
