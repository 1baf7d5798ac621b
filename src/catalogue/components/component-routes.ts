import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { Created, updated } from '../../platform/wire/openapi/schemas.ts'
import {
  anything,
  documentedAsRequired,
  flag,
  integers,
  MOST_ITEMS,
  type Param,
  requireAtMost,
  required,
  text,
  texts,
} from '../../platform/wire/params.ts'
import { readParams } from '../../platform/wire/read-params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { DeletedInSteps, inSteps, presentDeleted } from '../removals/removal-json.ts'
import {
  type ComponentKey,
  createComponent,
  noSuchComponent,
  removeComponent,
  updateComponents,
} from './change-components.ts'
import type { WantedComponent } from './component.ts'
import { getDefaultCc } from './component-cc-route.ts'
import { COMPONENT_FIELDS } from './component-schema.ts'
import { readComponent } from './read-component.ts'

const resource = 'component'
const byId = { id: 'Id of a component.' }
const byName = { product: 'Id or name of a product.', component: 'Name of a component of the product.' }
const aboutWriting = 'For members of editcomponents, or of a group that has that right in the product.'

const Component = Type.Object(
  {
    ...COMPONENT_FIELDS,
    product: Type.String(),
    default_cc: Type.Optional(
      Type.Array(Type.String(), { description: 'Login names; only for callers who may change the component.' }),
    ),
  },
  { title: 'Component', additionalProperties: false },
)
const Components = Type.Object({ components: Type.Array(Component) }, { additionalProperties: false })

const reading = {
  method: 'GET',
  resource,
  summary: 'Get one component.',
  params: {},
  answers: Components,
  selectsFields: true,
  scope: 'read',
  run: async (context: CallContext) => ({ components: [await readComponent(context, keyOf(context))] }),
} as const

const getComponent = call({
  ...reading,
  path: '/component/:product/:component',
  pathParams: byName,
  about: 'For every caller who may see the product.',
})

const getComponentById = call({
  ...reading,
  path: '/component/:id',
  pathParams: byId,
  about: 'For every caller who may see its product. For others the component does not exist.',
})

const writeParams = {
  name: text('Unique in the product, regardless of letter case.'),
  description: text('Description; may contain HTML.'),
  default_assignee: text('Login name of the assignee of new bugs.'),
  default_qa_contact: text('Login name of the QA contact of new bugs; empty for none.'),
  default_cc: texts('Login names of the users on the CC list of new bugs. Replaces the whole list.'),
  triage_owner: text('Login name of who triages its bugs; empty for none. Ends a rotation.'),
  triage_rotation: text('Name of the rotation that triages its bugs; empty for none. Ends the triage owner.'),
  is_open: flag('Whether bugs can be filed in it. On by default.'),
}

const postComponent = call({
  method: 'POST',
  idempotency: 'once',
  path: '/component',
  resource,
  summary: 'Create a component.',
  about: aboutWriting,
  params: {
    ...writeParams,
    product: required(text('Name of the product.')),
    name: documentedAsRequired(writeParams.name),
    component: text('Another name for name.'),
    description: documentedAsRequired(writeParams.description),
    default_assignee: documentedAsRequired(writeParams.default_assignee),
    create_series: flag('Whether to create series that count its open and closed bugs for charts. On by default.'),
  },
  answers: Created,
  status: 201,
  scope: 'admin',
  async run(context) {
    const { product, component, create_series = true, ...wanted } = context.params
    const named = { ...wanted, name: wanted.name ?? component }
    return { id: await createComponent(context, product, named, create_series) }
  },
})

const updateParams = { ...writeParams, is_active: flag('The same as is_open.') }

const writing = {
  method: 'PUT',
  resource,
  summary: 'Change components.',
  about: `${aboutWriting} Bugs keep a component that is renamed. Either all components are changed, or none.`,
  params: {
    ...updateParams,
    ids: integers('More components to change, by id.'),
    names: namesParam('More components to change: a list of objects with product and component.'),
    updates: anything(
      'An object with the changes, another form that some clients send.',
      Type.Object({}, { additionalProperties: true }),
    ),
  },
  unknownParams: 'refused',
  answers: updated('components'),
  scope: 'admin',
} as const

const putComponent = call({
  ...writing,
  path: '/component/:product/:component',
  pathParams: byName,
  run: async (context) => ({
    components: await updateComponents(context, targetsOf(context), wantedOf(context.params)),
  }),
})

const putComponentById = call({
  ...writing,
  path: '/component/:id',
  pathParams: byId,
  run: async (context) => ({
    components: await updateComponents(context, targetsOf(context), wantedOf(context.params)),
  }),
})

const deleting = {
  method: 'DELETE',
  resource,
  summary: 'Delete a component.',
  about: `${aboutWriting} Refused for the last component of a product. Refused for a component with bugs, unless the parameter allowbugdeletion is on: then the bugs are deleted too.`,
  params: { in_steps: inSteps },
  answers: DeletedInSteps,
  scope: 'admin',
  async run(context: CallContext<{ in_steps: typeof inSteps }>) {
    const { component, removal } = await removeComponent(context, keyOf(context), context.params.in_steps ?? false)
    return presentDeleted(component, removal, context.caller)
  },
} as const

const deleteComponent = call({ ...deleting, path: '/component/:product/:component', pathParams: byName })
const deleteComponentById = call({ ...deleting, path: '/component/:id', pathParams: byId })

function keyOf({ path }: Pick<CallContext, 'path'>): ComponentKey {
  const { id, product = '', component = '' } = path
  return id === undefined ? { product, component } : { id: idIn(id) ?? noId(id) }
}

function noId(ref: string): never {
  throw noSuchComponent(ref)
}

type UpdateParams = WantedComponent & { is_active?: boolean | undefined }

function targetsOf(context: Pick<CallContext, 'path'> & { params: { ids?: number[]; names?: ComponentKey[] } }) {
  const { ids = [], names = [] } = context.params
  return [keyOf(context), ...ids.map((id) => ({ id })), ...names]
}

/** A change outside of `updates` takes precedence over the same change in it. */
function wantedOf({
  updates,
  ids: _,
  names: __,
  ...direct
}: UpdateParams & { updates?: unknown; ids?: unknown; names?: unknown }) {
  const nested = updates === undefined ? {} : readUpdates(updates)
  const wanted: UpdateParams = { ...nested, ...definedIn(direct) }
  const { is_active, ...rest } = wanted
  return { ...rest, is_open: rest.is_open ?? is_active }
}

function readUpdates(input: unknown): UpdateParams {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw errors.bad_value({ name: 'updates', value: input, right: 'it must be an object' })
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(updateParams, name))
  if (unknown !== undefined)
    throw errors.unknown_parameter({ name: `updates.${unknown}`, known: Object.keys(updateParams).sort().join(', ') })
  return definedIn(readParams(updateParams, { ...input }))
}

function definedIn<Params extends object>(params: Params): Partial<Params> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Partial<Params>
}

/** compat: python-bugzilla names components as `[{"product": …, "component": …}]`. */
function namesParam(about: string): Param<ComponentKey[] | undefined> {
  const pair = Type.Object({ product: Type.String(), component: Type.String() })
  return {
    about,
    schema: Type.Array(pair, { maxItems: MOST_ITEMS }),
    isRequired: false,
    read(name, input) {
      if (input === undefined || input === null) return undefined
      const pairs = requireAtMost(MOST_ITEMS, name, Array.isArray(input) ? input : [input])
      return pairs.map((it) => {
        if (!isPair(it))
          throw errors.bad_value({ name, value: it, right: 'each must be an object with product and component' })
        return { product: it.product, component: it.component }
      })
    },
  }
}

function isPair(it: unknown): it is { product: string; component: string } {
  if (typeof it !== 'object' || it === null) return false
  const { product, component } = it as Record<string, unknown>
  return typeof product === 'string' && typeof component === 'string'
}

export const componentRoutes = [
  getDefaultCc,
  getComponent,
  getComponentById,
  postComponent,
  putComponent,
  putComponentById,
  deleteComponent,
  deleteComponentById,
] as const
