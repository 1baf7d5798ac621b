import { REST_NAMES } from '../../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE } from '../../../catalogue/fields/field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'
import { type ImportContext, numberOf, stagedText } from '../import-context.ts'
import { UNKNOWN_USER } from '../people/import-users.ts'
import type { StagedValue } from '../staging/staging.ts'

const users = statement<object>()((q) => q.selectFrom('users').select('id'))
const userNamed = statement<{ login: string }>()((q, p) =>
  q.selectFrom('users').select('id').where('login_key', '=', p.login),
)
const groups = statement<object>()((q) => q.selectFrom('groups').select(['id', 'user_regexp']))
const keywords = statement<object>()((q) => q.selectFrom('keywords').select('id'))
const products = statement<object>()((q) => q.selectFrom('products').select('id'))
const components = statement<object>()((q) => q.selectFrom('components').select('id'))
const versions = statement<object>()((q) => q.selectFrom('versions').select(['id', 'product_id', 'name_key']))
const milestones = statement<object>()((q) => q.selectFrom('milestones').select(['id', 'product_id', 'name_key']))
const flagTypes = statement<object>()((q) => q.selectFrom('flag_types').select(['id', 'target']))
const fields = statement<object>()((q) => q.selectFrom('fields').select(['id', 'name', 'type', 'is_custom']))
const values = statement<object>()((q) =>
  q
    .selectFrom('field_values')
    .innerJoin('fields', 'fields.id', 'field_values.field_id')
    .select(['field_values.id', 'fields.name as field', 'field_values.name_key']),
)

/** A custom field whose values bugs have. */
export interface CustomField {
  id: number
  name: string
  type: number
}

/** What bugs refer to, as it is in the database after the catalogue was imported. It can be sent to a thread. */
export interface BugReferences {
  readonly users: ReadonlySet<number>
  /** The user that stands for users without a usable number; undefined if no row needs it. */
  readonly unknownUser: number | undefined
  readonly groups: ReadonlySet<number>
  readonly keywords: ReadonlySet<number>
  readonly products: ReadonlySet<number>
  readonly components: ReadonlySet<number>
  readonly flagTargets: ReadonlyMap<number, 'bug' | 'attachment'>
  readonly customFields: readonly CustomField[]
  /** Names of fields in history, by their old numbers. */
  readonly historyNames: ReadonlyMap<number, string>
  /** Ids by product and name. */
  readonly versions: ReadonlyMap<string, number>
  readonly milestones: ReadonlyMap<string, number>
  /** Ids by field and name. */
  readonly values: ReadonlyMap<string, number>
}

export interface BugLookup extends BugReferences {
  versionOf(product: number, name: string): number | undefined
  milestoneOf(product: number, name: string): number | undefined
  valueOf(field: string, name: string): number | undefined
}

export function lookupIn(references: BugReferences): BugLookup {
  const { versions, milestones, values } = references
  return {
    ...references,
    versionOf: (product, name) => versions.get(`${product} ${fold(name)}`),
    milestoneOf: (product, name) => milestones.get(`${product} ${fold(name)}`),
    valueOf: (field, name) => values.get(`${field} ${fold(name)}`),
  }
}

export async function loadUserLookup(db: Db, { staging }: Pick<ImportContext, 'staging'>) {
  const rows = await db.all(groups, {})
  const withRegexp = new Set(
    staging.all(`select id from groups where userregexp <> ''`).map((row) => numberOf(row.id) ?? 0),
  )
  return {
    users: new Set((await db.all(users, {})).map(({ id }) => id)),
    unknownUser: (await db.first(userNamed, { login: UNKNOWN_USER }))?.id,
    groups: new Set(rows.map(({ id }) => id)),
    groupsWithoutRegexp: new Set(
      rows.filter((it) => it.user_regexp === '' && withRegexp.has(it.id)).map(({ id }) => id),
    ),
  }
}

export async function loadBugReferences(context: ImportContext): Promise<BugReferences> {
  const { db, staging } = context
  const idsOf = async (rows: typeof users) => new Set((await db.all(rows, {})).map(({ id }) => id))
  const inProducts = async (rows: typeof versions) =>
    new Map((await db.all(rows, {})).map((it) => [`${it.product_id} ${it.name_key}`, it.id]))
  const all = await db.all(fields, {})
  const { users: userIds, groups: groupIds, unknownUser } = await loadUserLookup(db, context)
  return {
    users: userIds,
    unknownUser,
    groups: groupIds,
    keywords: await idsOf(keywords),
    products: await idsOf(products),
    components: await idsOf(components),
    flagTargets: new Map((await db.all(flagTypes, {})).map(({ id, target }) => [id, target])),
    customFields: all.filter((field) => field.is_custom === 1).map(({ id, name, type }) => ({ id, name, type })),
    historyNames: new Map(
      staging.all('select id, name from fielddefs').map((row) => {
        const name = stagedText(row.name)
        return [numberOf(row.id) ?? 0, REST_NAMES.get(name) ?? name]
      }),
    ),
    versions: await inProducts(versions),
    milestones: await inProducts(milestones),
    values: new Map((await db.all(values, {})).map((it) => [`${it.field} ${it.name_key}`, it.id])),
  }
}

/** The user with this number, or the one that stands for users without a usable number. */
export function userIn(
  { users, unknownUser }: Pick<BugReferences, 'users' | 'unknownUser'>,
  value: StagedValue | undefined,
): number | undefined {
  const id = numberOf(value)
  return id !== undefined && users.has(id) ? id : unknownUser
}

export function isMultiSelect({ type }: CustomField) {
  return type === FIELD_TYPE.multiSelect
}
