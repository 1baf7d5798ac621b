import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { type Caller, requireGroup } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { Changes } from '../../platform/wire/openapi/schemas.ts'
import { flag, type Param } from '../../platform/wire/params.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import { changeGroupControl } from './change-group-control.ts'
import { CONTROL_WORDS, presentGroupControl } from './group-control.ts'
import { CONTROL_RIGHTS, ControlWord } from './group-control-schema.ts'
import { listGroupControls } from './group-control-store.ts'

const resource = 'group_control'
const product = 'Id or name of a product.'
const about = 'For members of both editcomponents and creategroups.'

const GroupControl = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the group.' }),
    name: Type.String({ description: 'Name of the group.' }),
    ...CONTROL_RIGHTS,
  },
  { title: 'GroupControl', additionalProperties: false },
)

function control(about: string): Param<number | undefined> {
  return {
    about,
    schema: Type.Union([ControlWord, Type.Integer({ minimum: 0, maximum: 3 })]),
    isRequired: false,
    read: (name, input) => (input === undefined || input === null ? undefined : readControl(name, input)),
  }
}

function readControl(name: string, input: unknown): number {
  const text = typeof input === 'string' || typeof input === 'number' ? fold(String(input).trim()) : ''
  const control = CONTROL_WORDS.findIndex((word, number) => fold(word) === text || String(number) === text)
  if (control === -1)
    throw errors.bad_value({ name, value: input, right: `it must be one of ${CONTROL_WORDS.join(', ')}` })
  return control
}

function requireControlEditor(caller: Caller) {
  requireGroup(caller, 'editcomponents')
  return requireGroup(caller, 'creategroups')
}

const getGroupControls = call({
  method: 'GET',
  path: '/product/:product/group_control',
  pathParams: { product },
  resource,
  summary: 'List the group controls of a product.',
  about: `${about} Groups that the product does not use at all are left out.`,
  params: {},
  answers: Type.Object({ group_controls: Type.Array(GroupControl) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'admin',
  async run(context) {
    requireControlEditor(context.caller)
    const { id } = await getVisibleProduct(context, context.path.product ?? '')
    const controls = await listGroupControls(context.db, id)
    return { group_controls: controls.map((it) => context.select.pick(presentGroupControl(it))) }
  },
})

const putGroupControl = call({
  method: 'PUT',
  path: '/product/:product/group_control/:group',
  pathParams: { product, group: 'Id or name of a group.' },
  resource,
  summary: 'Change how a product uses a group.',
  about: `${about} If membercontrol becomes Mandatory, the group is added to every bug of the product; if it becomes NA, the group is removed from every bug. The history of the bugs records it, and bugs_changed is their number.`,
  params: {
    entry: flag('Whether only members can file bugs in the product.'),
    membercontrol: control('How members use the group: NA, Shown, Default or Mandatory, or 0 to 3.'),
    othercontrol: control('How other users use the group, with the same values.'),
    canedit: flag('Whether only members can change bugs of the product.'),
    editcomponents: flag('Whether members can administer the product.'),
    editbugs: flag('Whether members can change every field of bugs of the product.'),
    canconfirm: flag('Whether members can confirm bugs of the product.'),
  },
  unknownParams: 'refused',
  answers: Type.Object(
    {
      group_controls: Type.Array(
        Type.Object(
          { id: Type.Integer({ description: 'Id of the group.' }), name: Type.String(), changes: Changes },
          { additionalProperties: false },
        ),
      ),
      bugs_changed: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  scope: 'admin',
  async run(context) {
    const { id: who } = requireControlEditor(context.caller)
    requireRecentProof(context)
    const { product = '', group: ref = '' } = context.path
    const { group, changes, bugsChanged } = await changeGroupControl(context, who, product, ref, context.params)
    return { group_controls: [{ id: group.id, name: group.name, changes }], bugs_changed: bugsChanged }
  },
})

export const groupControlRoutes = [getGroupControls, putGroupControl] as const
