import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { MOST_COUNTED_GROUPS } from '../../people/member-counts.ts'
import { CONTROL_RIGHTS } from '../group-controls/group-control-schema.ts'
import { readGroupUses } from './group-uses.ts'

const Count = Type.Integer({ minimum: 0 })
const Neighbours = Type.Array(
  Type.Object(
    { name: Type.String(), members: Type.Optional(Count) },
    { title: 'NeighbourGroup', additionalProperties: false },
  ),
  { description: `By name; the members of the first ${MOST_COUNTED_GROUPS} are counted.` },
)
const OPENS = {
  products: Type.Array(
    Type.Object(
      {
        product: Type.String(),
        ...CONTROL_RIGHTS,
      },
      { title: 'GroupUse', additionalProperties: false },
    ),
  ),
  flag_types: Type.Array(
    Type.Object(
      { id: Type.Integer(), name: Type.String(), grants: Type.Boolean(), requests: Type.Boolean() },
      { title: 'GroupFlagType', additionalProperties: false },
    ),
  ),
  parameters: Type.Array(Type.String(), { description: 'Names of the parameters that name the group.' }),
}

const getUses = call({
  method: 'GET',
  path: '/group/:ref/uses',
  pathParams: { ref: 'Id or name of a group.' },
  resource: 'group',
  summary: 'Get what a group opens, and the groups next to it.',
  about: 'For members of creategroups. Each part is returned to those who could read it elsewhere.',
  params: {},
  answers: Type.Object(
    {
      name: Type.String(),
      is_system: Type.Boolean({ description: 'Whether it ships with the tracker.' }),
      members: Type.Integer({ minimum: 0, description: 'How many, inherited ones included.' }),
      member_groups: Neighbours,
      belongs_to: Neighbours,
      bless_groups: Neighbours,
      visible_groups: Neighbours,
      ...OPENS,
      through: Type.Array(
        Type.Object(
          { name: Type.String(), description: Type.String(), ...OPENS },
          { title: 'GroupOpening', additionalProperties: false },
        ),
        {
          description: 'What it opens because its members belong to these groups, in one or several steps; at most 20.',
        },
      ),
      through_total: Type.Integer({ minimum: 0, description: 'How many such groups there are.' }),
      bugs: Type.Optional(
        Type.Integer({ minimum: 0, description: 'How many bugs are restricted to it; for members of admin.' }),
      ),
    },
    { title: 'GroupUses', additionalProperties: false },
  ),
  scope: 'admin',
  run: (context) => readGroupUses(context, context.path.ref ?? ''),
})

export const groupUseRoutes = [getUses] as const
