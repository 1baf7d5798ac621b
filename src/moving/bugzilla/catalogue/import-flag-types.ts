import { NEEDINFO } from '../../../catalogue/flag-types/flag-type.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/user-lookup.ts'
import type { StagedRow } from '../staging/staging.ts'

const productIds = statement<object>()((q) => q.selectFrom('products').select('id'))
const componentIds = statement<object>()((q) => q.selectFrom('components').select('id'))

/** Imports flag types with their numbers, and where they apply. */
export async function importFlagTypes(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal } = context
  const ids = new Set<number>()
  const rows = []
  for (const row of staging.all('select * from flagtypes order by id')) {
    const id = numberOf(row.id)
    const target = stagedText(row.target_type)
    if (!isId(id) || ids.has(id) || (target !== 'a' && target !== 'b')) {
      journal.refuse('flagtypes', stagedText(row.id), 'its number or its target cannot be used', row)
      continue
    }
    ids.add(id)
    rows.push(typeFrom(context, lookup, id, row))
    journal.made('flagtypes')
  }
  await insertRows(tx, 'flag_types', rows)
  await importScopes(context, tx, ids)
  return 'done'
}

function typeFrom({ journal }: ImportContext, lookup: UserLookup, id: number, row: StagedRow): NewRow<'flag_types'> {
  const groupOf = (value: unknown, what: string) => {
    const group = numberOf(value as number | null)
    if (group === undefined || lookup.groups.has(group)) return group ?? null
    journal.note('flagtypes', id, `the ${what} group ${group} does not exist; there is no restriction now`)
    return null
  }
  return {
    id,
    name: stagedText(row.name),
    name_key: fold(stagedText(row.name)),
    description: stagedText(row.description),
    target: stagedText(row.target_type) === 'a' ? 'attachment' : 'bug',
    sort_key: numberOf(row.sortkey) ?? 0,
    is_active: flagOf(row.is_active),
    is_requestable: flagOf(row.is_requestable),
    is_requesteeble: flagOf(row.is_requesteeble),
    is_multiplicable: flagOf(row.is_multiplicable),
    is_question: isQuestion(row) ? 1 : 0,
    cc_list: stagedText(row.cc_list),
    grant_group_id: groupOf(row.grant_group_id, 'grant'),
    request_group_id: groupOf(row.request_group_id, 'request'),
  }
}

/** Bugzilla knows questions only by this name. */
function isQuestion(row: StagedRow) {
  return fold(stagedText(row.name)) === NEEDINFO && flagOf(row.is_requestable) === 1
}

const SCOPE_TABLES = [
  ['flaginclusions', 'inclusion'],
  ['flagexclusions', 'exclusion'],
] as const

async function importScopes(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  types: ReadonlySet<number>,
) {
  const products = new Set((await tx.all(productIds, {})).map(({ id }) => id))
  const components = new Set((await tx.all(componentIds, {})).map(({ id }) => id))
  const exists = (id: number | undefined, known: ReadonlySet<number>) => id === undefined || known.has(id)
  for (const [table, kind] of SCOPE_TABLES) {
    const scopes = []
    for (const row of staging.all(`select * from ${table}`)) {
      const type = numberOf(row.type_id) ?? 0
      const product = numberOf(row.product_id)
      const component = numberOf(row.component_id)
      if (!types.has(type) || !exists(product, products) || !exists(component, components)) {
        const key = `${type} ${stagedText(row.product_id)} ${stagedText(row.component_id)}`
        journal.refuse(table, key, 'the flag type, product or component does not exist', row)
        continue
      }
      scopes.push({ flag_type_id: type, kind, product_id: product ?? null, component_id: component ?? null })
      journal.made(table)
    }
    await insertRows(tx, 'flag_type_scopes', scopes)
  }
}
