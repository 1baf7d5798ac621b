import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { Created, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, integers, text, texts } from '../../platform/wire/params.ts'
import { DeletedInSteps, inSteps, presentDeleted } from '../removals/removal-json.ts'
import { VALUE_COLUMNS } from './field.ts'
import { createValue } from './values/create-value.ts'
import { removeValue } from './values/remove-value.ts'
import { updateValues } from './values/update-values.ts'
import { valueParams } from './values/value-params.ts'

const resource = 'field'
const standard = new Intl.ListFormat('en-GB').format(Object.keys(VALUE_COLUMNS))
const field = `Name of a custom select field, or one of ${standard}.`

const postValue = call({
  method: 'POST',
  idempotency: 'once',
  path: '/field/bug/:field/values',
  pathParams: { field },
  resource,
  summary: 'Create a value of a field.',
  about:
    'For members of admin. A bug with a new status can change to the status of duplicates. Other changes need an entry in the workflow.',
  params: { ...valueParams, name: documentedAsRequired(valueParams.name) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async ({ db, caller, path, params }) => ({
    id: await createValue(db, requireGroup(caller, 'admin').id, path.field ?? '', params),
  }),
})

const value = 'Name of a value, or its id if no value has this name.'

const putValue = call({
  method: 'PUT',
  path: '/field/bug/:field/values/:value',
  pathParams: { field, value },
  resource,
  summary: 'Change values of a field.',
  about:
    'For members of admin. Bugs keep a value that is renamed, and a parameter that names it as the default is updated. Values that the tracker relies on cannot be renamed or disabled.',
  params: {
    ...valueParams,
    ids: integers('More values to change, by id.'),
    names: texts('More values to change, by name.'),
  },
  unknownParams: 'refused',
  answers: updated('values'),
  scope: 'admin',
  async run({ db, caller, path, params }) {
    const { ids = [], names = [], ...wanted } = params
    const refs = [path.value ?? '', ...ids.map(String), ...names]
    return { values: await updateValues(db, requireGroup(caller, 'admin').id, path.field ?? '', refs, wanted) }
  },
})

const deleteValue = call({
  method: 'DELETE',
  path: '/field/bug/:field/values/:value',
  pathParams: { field, value },
  resource,
  summary: 'Delete a value that is not used, or merge it into another one.',
  about:
    'For members of admin. Refused for values that the tracker relies on, that a parameter names as the default, that bugs have, or that control whether fields or other values are shown. With replace_with, bugs and the default get another value of the field.',
  params: {
    replace_with: text('Name of the value that bugs get instead, or its id if no value has this name.'),
    in_steps: inSteps,
  },
  answers: DeletedInSteps,
  scope: 'admin',
  async run({ db, caller, path, params }) {
    const who = requireGroup(caller, 'admin').id
    const { field = '', value = '' } = path
    const { replace_with: replaceWith, in_steps = false } = params
    const removed = await removeValue(db, who, { field, value, replaceWith, inSteps: in_steps })
    return presentDeleted(removed.value, removed.removal, caller)
  },
})

export const valueRoutes = [postValue, putValue, deleteValue] as const
