import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { administersProducts } from '../../access/visibility/visible-products.ts'
import { groupsBlessableBy } from '../bless.ts'
import { emailOf, nickOf } from './user.ts'
import { GroupSummary, Nick } from './user-schema.ts'
import { listUsersByIds } from './user-store.ts'

export const whoami = call({
  method: 'GET',
  path: '/whoami',
  servesSetup: true,
  resource: 'user',
  summary: 'Get the caller’s own account.',
  params: {},
  answers: Type.Object(
    {
      id: Type.Integer(),
      name: Type.String(),
      real_name: Type.String(),
      nick: Nick,
      email: Type.String(),
      groups: Type.Array(GroupSummary),
      login_source: Type.Union([Type.Literal('api_key'), Type.Literal('token'), Type.Literal('password')]),
      scopes: Type.Array(Type.String()),
      administers_products: Type.Boolean({ description: 'Whether the caller may change a product or its components.' }),
      chooses_members: Type.Boolean({ description: 'Whether the caller may choose the members of a group.' }),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  async run({ db, caller, settings, groups: graph }) {
    const { id, login, realName, groups, source, scopes } = requireLogin(caller)
    const [user] = await listUsersByIds(db, [id])
    const blessable = await groupsBlessableBy(db, graph, settings, caller)
    return {
      id,
      name: login,
      real_name: realName,
      nick: nickOf({ id, nick: user?.nick ?? null }),
      email: emailOf({ login }, settings),
      groups: groups.list,
      login_source: source,
      scopes: [...scopes].sort(),
      administers_products: await administersProducts(db, caller, settings),
      chooses_members: blessable.size > 0,
    }
  },
})
