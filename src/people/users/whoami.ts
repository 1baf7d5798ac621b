import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { emailOf } from './user.ts'
import { GroupSummary } from './user-schema.ts'

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
      email: Type.String(),
      groups: Type.Array(GroupSummary),
      login_source: Type.Union([Type.Literal('api_key'), Type.Literal('token'), Type.Literal('password')]),
      scopes: Type.Array(Type.String()),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  run({ caller, settings }) {
    const { id, login, realName, groups, source, scopes } = requireLogin(caller)
    return {
      id,
      name: login,
      real_name: realName,
      email: emailOf({ login }, settings),
      groups: groups.list,
      login_source: source,
      scopes: [...scopes].sort(),
    }
  },
})
