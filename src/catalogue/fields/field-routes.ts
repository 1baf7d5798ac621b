import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, naturals, nullable, text, texts } from '../../platform/wire/params.ts'
import { createField } from './create-field.ts'
import { TYPE_WORDS } from './field.ts'
import { CreatedField, Fields, LegalValues } from './field-schema.ts'
import { readFields } from './read-fields.ts'
import { readerOf } from './reader.ts'
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
    'With ids or names only those; an unknown one is 51. Obsolete fields are told only when they are named. Values of version, target_milestone and component are those of the products that the caller may see. Extra fields: description, sort_key, is_obsolete, is_in_new_mail, reverse_name, and values.is_active of all values.',
  params: targets,
  answers: Fields,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({ fields: await readFields(readerOf(context), refsIn(context.params)) }),
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
    fields: await readFields(readerOf(context), [context.path.field ?? '', ...refsIn(context.params)]),
  }),
})

const field = 'Name of a field, as the fields call or as bugs have it: bug_status or status.'

const getLegalValues = call({
  method: 'GET',
  path: '/field/bug/:field/values',
  pathParams: { field },
  resource,
  summary: 'The values of a field that are in use. Deprecated: ask for the field.',
  params: {},
  answers: LegalValues,
  scope: 'read',
  run: async (context) => ({ values: await readLegalValues(context, context.path.field ?? '', undefined) }),
})

const getLegalValuesOfProduct = call({
  method: 'GET',
  path: '/field/bug/:field/:product_id/values',
  pathParams: { field, product_id: 'Id of a product; it matters for version, target_milestone and component only.' },
  resource,
  summary: 'The values of a field that are in use in a product. Deprecated: ask for the field.',
  params: {},
  answers: LegalValues,
  scope: 'read',
  run: async (context) => ({
    values: await readLegalValues(context, context.path.field ?? '', context.path.product_id),
  }),
})

const writeParams = {
  name: text('Letters, digits and underscores; cf_ is put in front.'),
  type: text(`Number or word: ${TYPE_WORDS} (1 to 6, 9, 10). A field keeps it for life.`),
  display_name: text('What people see.'),
  description: text('What the field is for.'),
  sort_key: integer('Fields are ordered by it, then by name. 0 to 32767.'),
  is_mandatory: flag('Whether it must be filled in where it is shown.'),
  is_on_bug_entry: flag('Whether it is shown when a bug is filed.'),
  is_obsolete: flag('Whether it is out of use.'),
  is_in_new_mail: flag('Whether the mail about a new bug tells it.'),
  reverse_name: text('What the other bug calls it; for fields that hold a bug id.'),
  visibility_field: nullable(text('The field that decides whether this one is shown; empty or null for none.')),
  visibility_values: texts('Values of visibility_field with which this field is shown.'),
  value_field: nullable(text('The field that decides which values of this one are shown; empty or null for none.')),
}

const postField = call({
  method: 'POST',
  path: '/field/bug',
  resource,
  summary: 'Make a custom field.',
  about: 'For members of admin. A single select begins with the value ---, which stands for nothing chosen.',
  params: {
    ...writeParams,
    name: documentedAsRequired(writeParams.name),
    type: documentedAsRequired(writeParams.type),
    display_name: documentedAsRequired(writeParams.display_name),
    values: wantedValues('First values of a select: names, or objects as the values call takes them.'),
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
  about: 'For members of admin. With another value_field, all values are shown until they are told with what.',
  params: { ...writeParams, ids: targets.ids, names: targets.names },
  unknownParams: 'refused',
  answers: updated('fields'),
  scope: 'admin',
  async run({ db, caller, path, params, given }) {
    const { ids, names, ...wanted } = params
    const cleared = { ...wanted, ...clearedBy(given) }
    const refs = [path.field ?? '', ...refsIn({ ids, names })]
    return { fields: await updateFields(db, requireGroup(caller, 'admin').id, refs, cleared) }
  },
})

const deleteField = call({
  method: 'DELETE',
  path: '/field/bug/:field',
  pathParams: { field: 'Name or id of a custom field.' },
  resource,
  summary: 'Delete a custom field that was never used.',
  about:
    'For members of admin. It must be obsolete, not in the history, empty on all bugs, and decide nothing about other fields.',
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

/** A null says the same as an empty name: no field decides. */
function clearedBy(given: Readonly<Record<string, unknown>>) {
  return {
    ...(given.visibility_field === null && { visibility_field: '' }),
    ...(given.value_field === null && { value_field: '' }),
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
]
