import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, integers, texts } from '../../platform/wire/params.ts'
import { createValue } from './values/create-value.ts'
import { removeValue } from './values/remove-value.ts'
import { updateValues } from './values/update-values.ts'
import { valueParams } from './values/value-params.ts'

const resource = 'field'
const field = 'Name of a custom select, or of op_sys, rep_platform, priority, bug_severity, bug_status or resolution.'

const postValue = call({
  method: 'POST',
  path: '/field/bug/:field/values',
  pathParams: { field },
  resource,
  summary: 'Make a value of a field.',
  about:
    'For members of admin. A new status can change to the status of duplicates, and the workflow says to what else.',
  params: { ...valueParams, name: documentedAsRequired(valueParams.name) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async ({ db, caller, path, params }) => ({
    id: await createValue(db, requireGroup(caller, 'admin').id, path.field ?? '', params),
  }),
})

const value = 'Name of a value, or its id when none has the digits for its name.'

const putValue = call({
  method: 'PUT',
  path: '/field/bug/:field/values/:value',
  pathParams: { field, value },
  resource,
  summary: 'Change values of a field.',
  about:
    'For members of admin. Bugs that have the value have it under its new name, and so has the parameter that names it as the default. Values that the tracker relies on keep their name and stay active.',
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
  summary: 'Delete a value that nothing needs any more.',
  about:
    'For members of admin. Refused for values that the tracker relies on, that a parameter names as the default, that bugs have, or with which fields or other values are shown.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, path }) {
    const who = requireGroup(caller, 'admin').id
    const { id, name } = await removeValue(db, who, path.field ?? '', path.value ?? '')
    return { id, name }
  },
})

export const valueRoutes = [postValue, putValue, deleteValue]
