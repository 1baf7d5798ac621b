import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integers, type Param, text, texts } from '../../platform/wire/params.ts'
import { createFlagType, requireTarget } from './editing/create-flag-type.ts'
import { removeFlagType } from './editing/remove-flag-type.ts'
import { updateFlagTypes } from './editing/update-flag-types.ts'
import { AvailableFlagTypes, CreatedFlagType, StoredFlagTypes } from './flag-type-schema.ts'
import { scopes } from './flag-type-scopes.ts'
import { refsFrom } from './flag-type-targets.ts'
import { readAvailableFlagTypes, readStoredFlagTypes } from './read-flag-types.ts'

const resource = 'flag_type'
const product = 'Name of a product, not its id. Write a slash in it as %2F.'

const getOfProduct = call({
  method: 'GET',
  path: '/flag_type/:product',
  pathParams: { product },
  resource,
  summary: 'List the flag types of a product.',
  about:
    'Returns the flag types that can be set on bugs and attachments in at least one component of the product, with the values that the caller can set.',
  params: {},
  answers: AvailableFlagTypes,
  selectsFields: true,
  scope: 'read',
  run: (context) => readAvailableFlagTypes(context, context.path.product ?? ''),
})

const getOfComponent = call({
  method: 'GET',
  path: '/flag_type/:product/:component',
  pathParams: { product, component: 'Name of a component of the product.' },
  resource,
  summary: 'List the flag types of a component.',
  params: {},
  answers: AvailableFlagTypes,
  selectsFields: true,
  scope: 'read',
  run: (context) => readAvailableFlagTypes(context, context.path.product ?? '', context.path.component ?? ''),
})

const getStored = call({
  method: 'GET',
  path: '/flag_type',
  resource,
  summary: 'Get all stored properties of flag types.',
  about:
    'For members of editcomponents, and for users who have that right in a product that the flag type applies to. ' +
    'Needs at least one of the parameters. The response has the form that an update accepts; inclusions are absent if the flag type applies everywhere.',
  params: {
    ids: integers('Ids of flag types.'),
    names: texts('Names of flag types. Several flag types can have the same name; all of them are returned.'),
    target_type: text('All flag types for bugs (`bug`) or attachments (`attachment`) that the caller may change.'),
  },
  answers: StoredFlagTypes,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { ids, names, target_type } = context.params
    // compat: without parameters the resource does not exist in Bugzilla.
    if (!ids && !names && !target_type) throw errors.no_such_resource({ method: 'GET', path: '/rest/flag_type' })
    const refs = { ids: ids ?? [], names: names ?? [] }
    const target = ids || names ? undefined : requireTarget(target_type)
    return { flagtypes: await readStoredFlagTypes(context, refs, target) }
  },
})

/** Not checked here: the rule about sort keys has its own error, also for values that are not numbers. */
const sortKey = (about: string): Param<unknown> => ({
  about,
  schema: Type.Integer({ minimum: 1, maximum: 32_767 }),
  isRequired: false,
  read: (_, input) => input ?? undefined,
})

/** Null means no group, as in the response of the product call. */
const groupName = (about: string): Param<string | undefined> => {
  const name = text(about)
  return { ...name, read: (param, input) => (input === null ? '' : name.read(param, input)) }
}

const attributes = {
  name: text('One word of at most 50 characters. Several flag types can have the same name.'),
  description: text('Meaning of flags of this type.'),
  inclusions: scopes(
    'Where the flag type applies: names of products (all their components), or objects from product names to lists of component names. Everywhere by default.',
  ),
  exclusions: scopes('Where the flag type does not apply, in the same form.'),
  sortkey: sortKey('1 to 32767; flag types are ordered by sortkey, then by name. 1 by default.'),
  is_active: flag('Whether new flags can be set; existing ones stay. On by default.'),
  is_requestable: flag('Whether users can request a flag with the value `?`. On by default.'),
  cc_list: texts(
    'Mail addresses that are notified of requests: a list, or a text separated by commas; at most 200 characters in total.',
  ),
  is_specifically_requestable: flag('Whether a request can name a user. On by default.'),
  is_multiplicable: flag('Whether one bug or attachment can have several flags of this type. On by default.'),
  is_question: flag(
    'Whether a request is a question: it can only be asked (`?`) and cleared, and an answer clears it. Off by default.',
  ),
  grant_group: groupName('The group whose members may set `+` and `-`; empty or null for all users, the default.'),
  request_group: groupName(
    'The group whose members, besides those of grant_group, may set `?`; empty or null for all users, the default. Has no effect without a grant_group.',
  ),
}

const WHO =
  'For members of editcomponents. Users who have that right only in some products may do it for these products.'

const postFlagType = call({
  method: 'POST',
  idempotency: 'once',
  path: '/flag_type',
  resource,
  summary: 'Create a flag type.',
  about: WHO,
  params: {
    ...attributes,
    name: documentedAsRequired(attributes.name),
    description: documentedAsRequired(attributes.description),
    target_type: text('What the flags are set on: `bug` (the default) or `attachment`. It cannot be changed later.'),
  },
  answers: CreatedFlagType,
  status: 201,
  scope: 'admin',
  async run({ db, caller, settings, params }) {
    const id = await createFlagType(db, caller, settings, params)
    return { id, flag_id: id }
  },
})

const putFlagType = call({
  method: 'PUT',
  path: '/flag_type/:ref',
  pathParams: { ref: 'Id of a flag type, or a name: then all flag types with this name are changed.' },
  resource,
  summary: 'Change flag types.',
  about:
    `${WHO} If the flag type also applies to other products, they can change only its inclusions and exclusions in their own products. ` +
    'Flags on bugs to which the type no longer applies get another type with the same name, or are removed.',
  params: {
    ...attributes,
    ids: integers('More flag types to change, by id.'),
    names: texts('More flag types to change, by name. Unknown names are ignored.'),
  },
  unknownParams: 'refused',
  answers: updated('flagtypes', { name: Type.String() }),
  scope: 'admin',
  async run({ db, caller, settings, path, params }) {
    const { ids, names, ...wanted } = params
    return { flagtypes: await updateFlagTypes(db, caller, settings, refsFrom(path.ref ?? '', ids, names), wanted) }
  },
})

const deleteFlagType = call({
  method: 'DELETE',
  path: '/flag_type/:ref',
  pathParams: { ref: 'Id of a flag type.' },
  resource,
  summary: 'Delete a flag type.',
  about: `${WHO} Refused while there are flags of the type, unless remove_flags is given. The history of the bugs records removed flags.`,
  params: { remove_flags: flag('Remove the flags of the type as well.') },
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, settings, path, params }) {
    const { id, name } = await removeFlagType(db, caller, settings, path.ref ?? '', params.remove_flags ?? false)
    return { id, name }
  },
})

export const flagTypeRoutes = [
  getOfProduct,
  getOfComponent,
  getStored,
  postFlagType,
  putFlagType,
  deleteFlagType,
] as const
