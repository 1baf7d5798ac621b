import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integers, type Param, text, texts } from '../../platform/wire/params.ts'
import { createFlagType, requireTarget } from './editing/create-flag-type.ts'
import { removeFlagType } from './editing/remove-flag-type.ts'
import { updateFlagTypes } from './editing/update-flag-types.ts'
import { places } from './flag-type-places.ts'
import { AvailableFlagTypes, CreatedFlagType, StoredFlagTypes } from './flag-type-schema.ts'
import { refsFrom } from './flag-type-targets.ts'
import { readAvailableFlagTypes, readStoredFlagTypes } from './read-flag-types.ts'

const resource = 'flag_type'
const product = 'Name of a product; an id is not taken. A slash in it is written %2F.'

const getOfProduct = call({
  method: 'GET',
  path: '/flag_type/:product',
  pathParams: { product },
  resource,
  summary: 'List the flag types of a product.',
  about:
    'Those that can be set on bugs and attachments in some component of the product, with the values that the caller can give them.',
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
  summary: 'Get flag types with all that is stored of them.',
  about:
    'For members of editcomponents, and for those who have that right in a product that the flag type applies to. ' +
    'At least one of the parameters is needed. The answer has the form in which an update takes it; inclusions are absent when the flag type applies everywhere.',
  params: {
    ids: integers('Ids of flag types.'),
    names: texts('Names of flag types; all that have the name are answered.'),
    target_type: text('All flag types for bugs (`bug`) or attachments (`attachment`) that the caller may change.'),
  },
  answers: StoredFlagTypes,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { ids, names, target_type } = context.params
    // compat: there is nothing at the bare address (observed 4.2).
    if (!ids && !names && !target_type) throw errors.no_such_resource({ method: 'GET', path: '/rest/flag_type' })
    const refs = { ids: ids ?? [], names: names ?? [] }
    const target = ids || names ? undefined : requireTarget(target_type)
    return { flagtypes: await readStoredFlagTypes(context, refs, target) }
  },
})

/** The rule about sort keys has an error of its own, also for what is no number. */
const sortKey = (about: string): Param<unknown> => ({
  about,
  schema: Type.Integer({ minimum: 1, maximum: 32_767 }),
  isRequired: false,
  read: (_, given) => given ?? undefined,
})

/** Null means no group, as the product read shows it. */
const groupName = (about: string): Param<string | undefined> => {
  const name = text(about)
  return { ...name, read: (param, given) => (given === null ? '' : name.read(param, given)) }
}

const attributes = {
  name: text('One word of at most 50 characters. Several flag types can have the same.'),
  description: text('What a flag of this type says.'),
  inclusions: places(
    'Where it applies: names of products (all their components), or objects of lists of component names by product name. Everywhere by default.',
  ),
  exclusions: places('Where it does not apply, in the same form.'),
  sortkey: sortKey('1 to 32767; lists are sorted by it, then by name. 1 by default.'),
  is_active: flag('Whether new flags can be set; existing ones stay. On by default.'),
  is_requestable: flag('Whether people can ask for a flag with the value `?`. On by default.'),
  cc_list: texts('Addresses that hear of requests, as a list or as text with commas; at most 200 characters together.'),
  is_specifically_requestable: flag('Whether somebody in particular can be asked. On by default.'),
  is_multiplicable: flag('Whether there can be several on one bug or attachment. On by default.'),
  grant_group: groupName('The group whose members may set `+` and `-`; empty or null for everybody, as by default.'),
  request_group: groupName(
    'The group whose members, besides those of grant_group, may set `?`; empty or null for everybody, as by default. Means nothing without a grant_group.',
  ),
}

const WHO = 'For members of editcomponents, and in their products for those who have that right in some products only.'

const postFlagType = call({
  method: 'POST',
  path: '/flag_type',
  resource,
  summary: 'Make a flag type.',
  about: WHO,
  params: {
    ...attributes,
    name: documentedAsRequired(attributes.name),
    description: documentedAsRequired(attributes.description),
    target_type: text('What the flags stand on: `bug` (the default) or `attachment`. It never changes.'),
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
  pathParams: { ref: 'Id of a flag type, or a name: then all that have it are changed.' },
  resource,
  summary: 'Change flag types.',
  about:
    `${WHO} Who administers not all products that a flag type applies to can only change its inclusions and exclusions in their own; those of other products stay. ` +
    'Flags on bugs where the type applies no longer become flags of another type of the same name, or are removed.',
  params: {
    ...attributes,
    ids: integers('More flag types to change, by id.'),
    names: texts('More flag types to change, by name; one that none has is skipped.'),
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
  about: `${WHO} Refused while there are flags of the type, unless they are to be removed with it: bugs that had one say so in their history.`,
  params: { remove_flags: flag('Remove the flags of the type as well.') },
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, settings, path, params }) {
    const { id, name } = await removeFlagType(db, caller, settings, path.ref ?? '', params.remove_flags ?? false)
    return { id, name }
  },
})

export const flagTypeRoutes = [getOfProduct, getOfComponent, getStored, postFlagType, putFlagType, deleteFlagType]
