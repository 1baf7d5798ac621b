import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { type Placeholders, statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import type { Component, ComponentEdit, ComponentUser } from './component.ts'

/** A component as it is read. Columns that were not requested are missing. */
export interface ComponentRow {
  id: number
  product_id: number
  name?: string
  description?: string
  is_active?: 0 | 1
  default_assigned_to?: string
  default_qa_contact?: string | null
  triage_owner?: string | null
  rotation_id?: number | null
}

/** The components of these products with the selected fields, ordered by product and name. */
export function listComponents(db: Db, productIds: readonly number[], select: FieldSelection): Promise<ComponentRow[]> {
  return db.query((q, d) =>
    q
      .selectFrom('components')
      .select(['components.id', 'components.product_id'])
      .$if(select.wants('name'), (it) => it.select('components.name'))
      .$if(select.wants('description'), (it) => it.select('components.description'))
      .$if(select.wants('is_active'), (it) => it.select('components.is_active'))
      .$if(select.wants('default_assigned_to'), (it) =>
        it
          .innerJoin('users as assignees', 'assignees.id', 'components.default_assignee_id')
          .select('assignees.login as default_assigned_to'),
      )
      .$if(select.wants('default_qa_contact'), (it) =>
        it
          .leftJoin('users as qa_contacts', 'qa_contacts.id', 'components.default_qa_contact_id')
          .select('qa_contacts.login as default_qa_contact'),
      )
      .$if(select.wants('triage_owner') || select.wants('triage_rotation'), (it) =>
        it
          .leftJoin('users as triage_owners', 'triage_owners.id', 'components.triage_owner_id')
          .select(['triage_owners.login as triage_owner', 'components.rotation_id']),
      )
      .where('components.product_id', 'in', d.integersIn(JSON.stringify(productIds)))
      .orderBy('components.product_id')
      .orderBy('components.name_key'),
  )
}

const byKey = statement<{ productId: number; key: string }>()((q, p) =>
  q.selectFrom('components').select('id').where('product_id', '=', p.productId).where('name_key', '=', p.key),
)
const byId = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('components')
    .innerJoin('users as assignees', 'assignees.id', 'components.default_assignee_id')
    .leftJoin('users as qa_contacts', 'qa_contacts.id', 'components.default_qa_contact_id')
    .leftJoin('users as triage_owners', 'triage_owners.id', 'components.triage_owner_id')
    .leftJoin('rotations', 'rotations.id', 'components.rotation_id')
    .selectAll('components')
    .select([
      'assignees.login as assignee',
      'qa_contacts.login as qa_contact',
      'triage_owners.login as triage_owner',
      'rotations.name as rotation',
    ])
    .where('components.id', '=', p.id),
)
const ccOfComponent = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('component_cc')
    .innerJoin('users', 'users.id', 'component_cc.user_id')
    .select(['users.id', 'users.login'])
    .where('component_cc.component_id', '=', p.id)
    .orderBy('users.login_key'),
)
const ccOfProduct = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom('component_cc')
    .innerJoin('components', 'components.id', 'component_cc.component_id')
    .innerJoin('users', 'users.id', 'component_cc.user_id')
    .select(['components.id', 'components.name', 'users.login'])
    .where('components.product_id', '=', p.productId)
    .orderBy('components.name_key')
    .orderBy('users.login_key'),
)
const others = statement<{ productId: number; id: number }>()((q, p) =>
  q.selectFrom('components').select('id').where('product_id', '=', p.productId).where('id', '!=', p.id).limit(1),
)

export async function findComponentId(db: Db, productId: number, name: string): Promise<number | undefined> {
  return (await db.first(byKey, { productId, key: fold(name.trim()) }))?.id
}

/** The whole component, with its default CC list. */
export async function findComponent(db: Db, id: number): Promise<Component | undefined> {
  const row = await db.first(byId, { id })
  if (!row) return undefined
  const { default_assignee_id, default_qa_contact_id, qa_contact, triage_owner_id, triage_owner, rotation_id } = row
  return {
    id: row.id,
    product_id: row.product_id,
    name: row.name,
    description: row.description,
    is_active: row.is_active,
    default_assignee: { id: default_assignee_id, login: row.assignee },
    default_qa_contact:
      default_qa_contact_id === null || qa_contact === null
        ? undefined
        : { id: default_qa_contact_id, login: qa_contact },
    default_cc: await db.all(ccOfComponent, { id }),
    triage_owner:
      triage_owner_id === null || triage_owner === null ? undefined : { id: triage_owner_id, login: triage_owner },
    triage_rotation:
      rotation_id === null || row.rotation === null ? undefined : { id: rotation_id, name: row.rotation },
  }
}

/** The default CC lists of all components of a product that have one, by name. */
export async function listDefaultCc(db: Db, productId: number) {
  const rows = Map.groupBy(await db.all(ccOfProduct, { productId }), (row) => row.id)
  return [...rows].map(([id, own]) => ({
    id,
    name: own[0]?.name ?? '',
    default_cc: own.map(({ login }) => login),
  }))
}

export async function isLastComponent(tx: Db, { id, product_id }: Component) {
  return (await tx.first(others, { productId: product_id, id })) === undefined
}

interface Row {
  name: string
  key: string
  description: string
  assigneeId: number
  qaContactId: number | null
  triageOwnerId: number | null
  rotationId: number | null
  isActive: 0 | 1
}

function changeableColumns(p: Placeholders<Row>) {
  return {
    name: p.name,
    name_key: p.key,
    description: p.description,
    default_assignee_id: p.assigneeId,
    default_qa_contact_id: p.qaContactId,
    triage_owner_id: p.triageOwnerId,
    rotation_id: p.rotationId,
    is_active: p.isActive,
  }
}

const insert = statement<Row & { productId: number }>()((q, p) =>
  q
    .insertInto('components')
    .values({ ...changeableColumns(p), product_id: p.productId })
    .returning('id'),
)
const update = statement<Row & { id: number }>()((q, p) =>
  q.updateTable('components').set(changeableColumns(p)).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('components').where('id', '=', p.id))
const deleteCc = statement<{ id: number }>()((q, p) => q.deleteFrom('component_cc').where('component_id', '=', p.id))

export interface ProductOfComponent {
  id: number
  name: string
}

export async function insertComponent(tx: Db, product: ProductOfComponent, component: ComponentEdit): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => componentExists(product, component),
    () => tx.first(insert, { ...rowOf(component), productId: product.id }),
  )
  const id = row?.id as number
  await insertDefaultCc(tx, id, component.default_cc)
  return id
}

export async function updateComponent(tx: Db, product: ProductOfComponent, id: number, component: ComponentEdit) {
  await onUniqueViolation(
    tx,
    () => componentExists(product, component),
    () => tx.all(update, { ...rowOf(component), id }),
  )
  await tx.all(deleteCc, { id })
  await insertDefaultCc(tx, id, component.default_cc)
}

export async function deleteComponent(tx: Db, { id, name }: Component) {
  await onForeignKeyViolation(tx, `The component ${name}`, () => tx.all(remove, { id }))
}

async function insertDefaultCc(tx: Db, id: number, people: readonly ComponentUser[]) {
  if (people.length === 0) return
  await tx.query((q) =>
    q.insertInto('component_cc').values(people.map((person) => ({ component_id: id, user_id: person.id }))),
  )
}

function rowOf(component: ComponentEdit): Row {
  const { name, description, default_assignee, default_qa_contact, is_active } = component
  return {
    name,
    key: fold(name),
    description,
    assigneeId: default_assignee?.id as number,
    qaContactId: default_qa_contact?.id ?? null,
    triageOwnerId: component.triage_owner?.id ?? null,
    rotationId: component.triage_rotation?.id ?? null,
    isActive: is_active,
  }
}

function componentExists(product: ProductOfComponent, { name }: ComponentEdit) {
  return errors.component_exists({ product: product.name, name })
}
