import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { userIn } from '../bugs/bug-lookup.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/user-lookup.ts'
import { UniqueNames } from '../unique-names.ts'
import type { ImportedProduct } from './product-names.ts'

export async function importComponents(
  context: ImportContext,
  tx: ConfigurationTransaction,
  products: ReadonlyMap<number, ImportedProduct>,
  lookup: UserLookup,
): Promise<Map<number, number>> {
  const { staging, journal } = context
  const ids = new Map<number, number>()
  const names = new Map<number, UniqueNames>()
  const take = (product: number, name: string, id: number) => {
    const taken = names.get(product) ?? new UniqueNames()
    names.set(product, taken)
    return taken.take(name, id)
  }
  const rows: NewRow<'components'>[] = []
  for (const row of staging.all('select * from components order by id')) {
    const [id, product] = [numberOf(row.id), numberOf(row.product_id) ?? 0]
    const owner = userIn(lookup, row.initialowner)
    if (!isId(id) || ids.has(id) || !products.has(product) || owner === undefined) {
      journal.refuse('components', stagedText(row.id), 'its product or its default assignee does not exist', row)
      continue
    }
    const name = take(product, stagedText(row.name) || `component-${id}`, id)
    if (name !== stagedText(row.name)) journal.note('components', id, `renamed to ${name}`)
    const qaContact = numberOf(row.initialqacontact)
    const hasQaContact = qaContact !== undefined && lookup.users.has(qaContact)
    if (qaContact !== undefined && qaContact !== 0 && !hasQaContact)
      journal.note('components', id, 'its default QA contact does not exist; it has none now')
    rows.push({
      id,
      product_id: product,
      name,
      name_key: fold(name),
      description: stagedText(row.description),
      default_assignee_id: owner,
      default_qa_contact_id: hasQaContact ? qaContact : null,
      is_active: flagOf(row.isactive),
    })
    ids.set(id, product)
    journal.made('components')
  }
  const missing = staging.all<{ id: number | null; product: number; reporter: number }>(
    `select component_id as id, min(product_id) as product, min(reporter) as reporter from bugs group by component_id order by 1`,
  )
  for (const { id, product, reporter } of missing) {
    const owner = userIn(lookup, reporter)
    if (!isId(id ?? undefined) || id === null || ids.has(id) || !products.has(product) || owner === undefined) continue
    const name = take(product, `Missing component ${id}`, id)
    rows.push({
      ...{ id, product_id: product, name, name_key: fold(name), description: 'It was deleted before the move.' },
      ...{ default_assignee_id: owner, default_qa_contact_id: null, is_active: 0 },
    })
    ids.set(id, product)
    journal.note('components', id, `created as ${name}: it does not exist, but bugs name it`)
  }
  await insertRows(tx, 'components', rows)
  return ids
}

export async function importComponentCc(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  components: ReadonlyMap<number, number>,
  lookup: UserLookup,
) {
  const rows = new Map<string, NewRow<'component_cc'>>()
  for (const row of staging.all('select * from component_cc')) {
    const [component, user] = [numberOf(row.component_id) ?? 0, numberOf(row.user_id) ?? 0]
    if (!components.has(component) || !lookup.users.has(user))
      journal.refuse('component_cc', `${component} ${user}`, 'the component or the user does not exist', row)
    else if (rows.has(`${component} ${user}`)) journal.joined('component_cc')
    else {
      rows.set(`${component} ${user}`, { component_id: component, user_id: user })
      journal.made('component_cc')
    }
  }
  await insertRows(tx, 'component_cc', [...rows.values()])
}

export async function importGroupControls(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  products: ReadonlyMap<number, ImportedProduct>,
  lookup: UserLookup,
) {
  const rows = new Map<string, NewRow<'group_controls'>>()
  for (const row of staging.all('select * from group_control_map')) {
    const [product, group] = [numberOf(row.product_id) ?? 0, numberOf(row.group_id) ?? 0]
    const [member, other] = [numberOf(row.membercontrol) ?? 0, numberOf(row.othercontrol) ?? 0]
    const isWrong = [member, other].some((control) => control < 0 || control > 3)
    if (!products.has(product) || !lookup.groups.has(group) || isWrong || rows.has(`${product} ${group}`)) {
      journal.refuse(
        'group_control_map',
        `${product} ${group}`,
        'the product or the group does not exist, or a value is impossible',
        row,
      )
      continue
    }
    rows.set(`${product} ${group}`, {
      product_id: product,
      group_id: group,
      entry: flagOf(row.entry),
      member_control: member,
      other_control: other,
      canedit: flagOf(row.canedit),
      editcomponents: flagOf(row.editcomponents),
      editbugs: flagOf(row.editbugs),
      canconfirm: flagOf(row.canconfirm),
    })
    journal.made('group_control_map')
  }
  await insertRows(tx, 'group_controls', [...rows.values()])
}
