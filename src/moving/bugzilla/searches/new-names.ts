import { FIELD_TYPE } from '../../../catalogue/fields/field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { type ImportContext, numberOf, stagedText } from '../import-context.ts'
import type { NewNames, QueryChanges } from './rewrite-query.ts'

const users = statement<object>()((q) => q.selectFrom('users').select(['id', 'login as name']))
const groups = statement<object>()((q) => q.selectFrom('groups').select(['id', 'name']))
const products = statement<object>()((q) => q.selectFrom('products').select(['id', 'name']))
const components = statement<object>()((q) => q.selectFrom('components').select(['id', 'name']))
const classifications = statement<object>()((q) => q.selectFrom('classifications').select(['id', 'name']))
const keywords = statement<object>()((q) => q.selectFrom('keywords').select(['id', 'name']))

/** What the parameters of searches need to be rewritten. */
export async function readQueryChanges(context: ImportContext, db: Db): Promise<QueryChanges> {
  const custom = context.staging.all(`select name from fielddefs where custom = 1 and type = ${FIELD_TYPE.dateTime}`)
  return {
    names: await readNewNames(context, db),
    zone: context.zone,
    timeFields: new Set(['creation_ts', 'delta_ts', 'last_visit_ts', ...custom.map((row) => stagedText(row.name))]),
  }
}

/** Compares the names in the dump with those in the database. */
async function readNewNames({ staging }: ImportContext, db: Db): Promise<NewNames> {
  const renamed = async (rows: typeof users, source: string): Promise<ReadonlyMap<string, string>> => {
    const now = new Map((await db.all(rows, {})).map(({ id, name }) => [id, name]))
    const kept = new Set<string>()
    const changed = new Map<string, string>()
    for (const row of staging.iterate(source)) {
      const [old, name] = [stagedText(row.name), now.get(numberOf(row.id) ?? 0)]
      if (name === old) kept.add(old)
      else if (name !== undefined && old !== '' && !changed.has(old)) changed.set(old, name)
    }
    for (const name of kept) changed.delete(name)
    return changed
  }
  return {
    users: await renamed(users, 'select userid as id, login_name as name from profiles'),
    groups: await renamed(groups, 'select id, name from groups'),
    products: await renamed(products, 'select id, name from products'),
    components: await renamed(components, 'select id, name from components'),
    classifications: await renamed(classifications, 'select id, name from classifications'),
    keywords: await renamed(keywords, 'select id, name from keyworddefs'),
  }
}
