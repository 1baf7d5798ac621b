import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, naturals, nullable, text, texts } from '../../platform/wire/params.ts'
import { createField } from './create-field.ts'
import { TYPE_WORDS } from './field.ts'
import { fieldReader } from './field-reader.ts'
import { CreatedField, Fields, LegalValues } from './field-schema.ts'
import { readFields } from './read-fields.ts'
import { removeField } from './remove-field.ts'
import { updateFields } from './update-fields.ts'
import { readLegalValues } from './values/legal-values.ts'
import { wantedValues } from './values/value-params.ts'

const resource = 'field'
const targets = {
  ids: naturals('More fields, by id.'),
  names: texts('More fields, by name.'),
}

const getFields = call({
  method: 'GET',
  path: '/field/bug',
  resource,
  summary: 'List the fields of bugs, or some of them.',
  about:
    'Returns all fields, or those in ids and names; error 51 for an unknown one. Obsolete fields are returned only if they are named, or with include_obsolete. Values of version, target_milestone and component are those of the products that the caller may see. Extra fields: description, sort_key, is_obsolete, is_in_new_mail, reverse_name, and values.is_active and values.id of values that do not belong to products.',
  params: { ...targets, include_obsolete: flag('Return obsolete fields too.') },
  answers: Fields,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({
    fields: await readFields(fieldReader(context), refsIn(context.params), context.params.include_obsolete),
  }),
})

const getField = call({
  method: 'GET',
  path: '/field/bug/:field',
  pathParams: { field: 'Id or name of a field.' },
  resource,
  summary: 'Get one field.',
  params: targets,
  answers: Fields,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({
    fields: await readFields(fieldReader(context), [context.path.field ?? '', ...refsIn(context.params)]),
  }),
})

const field = 'Name of a field, in the fields call or in bugs, such as bug_status or status.'

const getLegalValues = call({
  method: 'GET',
  path: '/field/bug/:field/values',
  pathParams: { field },
  resource,
  summary: 'List the active values of a field. Deprecated: get the field instead.',
  params: {},
  answers: LegalValues,
  scope: 'read',
  run: async (context) => ({ values: await readLegalValues(context, context.path.field ?? '', undefined) }),
})

const getLegalValuesOfProduct = call({
  method: 'GET',
  path: '/field/bug/:field/:product_id/values',
  pathParams: { field, product_id: 'Id of a product. Used only for version, target_milestone and component.' },
  resource,
  summary: 'List the active values of a field in a product. Deprecated: get the field instead.',
  params: {},
  answers: LegalValues,
  scope: 'read',
  run: async (context) => ({
    values: await readLegalValues(context, context.path.field ?? '', context.path.product_id),
  }),
})

const writeParams = {
  name: text('Letters, digits and underscores. The prefix cf_ is added if it is missing.'),
  type: text(`Number (1 to 6, 9 or 10) or name: ${TYPE_WORDS}. It cannot be changed later.`),
  display_name: text('Name that users see.'),
  description: text('Description.'),
  sort_key: integer('Fields are ordered by sort_key, then by name. 0 to 32767.'),
  is_mandatory: flag('Whether the field must be filled in on bugs that show it.'),
  is_on_bug_entry: flag('Whether the field is shown when a bug is filed.'),
  is_obsolete: flag('Whether the field is no longer used.'),
  is_in_new_mail: flag('Whether the mail about a new bug includes the field.'),
  reverse_name: text('Name of the relation on the other bug. Only for fields of the type bug id.'),
  visibility_field: nullable(text('The field that controls whether this one is shown; empty or null for none.')),
  visibility_values: texts('The values of visibility_field for which this field is shown.'),
  value_field: nullable(text('The field that controls which values of this one are shown; empty or null for none.')),
}

const postField = call({
  method: 'POST',
  idempotency: 'once',
  path: '/field/bug',
  resource,
  summary: 'Create a custom field.',
  about: 'For members of admin. A single-select field gets the value ---, which means no choice.',
  params: {
    ...writeParams,
    name: documentedAsRequired(writeParams.name),
    type: documentedAsRequired(writeParams.type),
    display_name: documentedAsRequired(writeParams.display_name),
    values: wantedValues('First values of a select field: names, or objects with the parameters of the values call.'),
  },
  answers: CreatedField,
  status: 201,
  scope: 'admin',
  run({ db, caller, params }) {
    const { values = [], ...wanted } = params
    return createField(db, requireGroup(caller, 'admin').id, wanted, values)
  },
})

const putField = call({
  method: 'PUT',
  path: '/field/bug/:field',
  pathParams: { field: 'Name or id of a custom field.' },
  resource,
  summary: 'Change custom fields.',
  about:
    'For members of admin. After a change of value_field, all values are shown until they get new visibility_values.',
  params: { ...writeParams, ids: targets.ids, names: targets.names },
  unknownParams: 'refused',
  answers: updated('fields'),
  scope: 'admin',
  async run({ db, caller, path, params, rawParams }) {
    const { ids, names, ...wanted } = params
    const cleared = { ...wanted, ...clearedBy(rawParams) }
    const refs = [path.field ?? '', ...refsIn({ ids, names })]
    return { fields: await updateFields(db, requireGroup(caller, 'admin').id, refs, cleared) }
  },
})

const deleteField = call({
  method: 'DELETE',
  path: '/field/bug/:field',
  pathParams: { field: 'Name or id of a custom field.' },
  resource,
  summary: 'Delete a custom field that is not used.',
  about:
    'For members of admin. The field must be obsolete, empty on all bugs and absent from their history, and must not control other fields.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, path }) {
    const { id, name } = await removeField(db, requireGroup(caller, 'admin').id, path.field ?? '')
    return { id, name }
  },
})

function refsIn({ ids = [], names = [] }: { ids?: number[] | undefined; names?: string[] | undefined }) {
  return [...ids.map(String), ...names]
}

/** Null means the same as an empty name: no controlling field. */
function clearedBy(rawParams: Readonly<Record<string, unknown>>) {
  return {
    ...(rawParams.visibility_field === null && { visibility_field: '' }),
    ...(rawParams.value_field === null && { value_field: '' }),
  }
}

export const fieldRoutes = [
  getFields,
  getField,
  getLegalValues,
  getLegalValuesOfProduct,
  postField,
  putField,
  deleteField,
] as const
