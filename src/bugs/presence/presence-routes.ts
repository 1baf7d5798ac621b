import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { flag } from '../../platform/wire/params.ts'
import { endPresence, MOST_NAMED, showPresence } from './presence.ts'

const resource = 'presence'
const path = '/bug/:ref/presence'
const pathParams = { ref: 'Number or alias of a bug.' }

const PresentUser = Type.Object(
  {
    id: Type.Integer(),
    real_name: Type.String(),
    nick: Type.String(),
    name: Type.String(),
    is_writing: Type.Boolean(),
  },
  { title: 'PresentUser', additionalProperties: false },
)

const Presence = Type.Object(
  {
    users: Type.Array(PresentUser, { description: `At most ${MOST_NAMED}; those who write first.` }),
    is_shown: Type.Boolean({ description: 'Whether others may see that the caller is here.' }),
    call_again_in: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds; null while the parameter use_presence is off.',
    }),
  },
  { title: 'Presence', additionalProperties: false },
)

const putPresence = call({
  method: 'PUT',
  path,
  pathParams,
  resource,
  summary: 'Say that the caller has a bug open, and get who else has.',
  about:
    'For callers who are logged in and see the bug. It lasts a minute, so the call is repeated. The bug, its history and its time stay as they are.',
  params: { writing: flag('Whether the caller is writing a comment on it.') },
  unknownParams: 'refused',
  answers: Presence,
  scope: 'write',
  run: (context) => showPresence(context, context.params.writing ?? false),
})

const deletePresence = call({
  method: 'DELETE',
  path,
  pathParams,
  resource,
  summary: 'Say that the caller has left a bug.',
  about: 'Does nothing if they are not shown there.',
  params: {},
  answers: Type.Object({}, { additionalProperties: false }),
  scope: 'write',
  async run(context) {
    await endPresence(context)
    return {}
  },
})

export const presenceRoutes = [putPresence, deletePresence] as const
