import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, refs, text, time } from '../../platform/wire/params.ts'
import { changeRotation, createRotation, removeRotation } from './change-rotations.ts'
import { whoIsThere } from './current-turns.ts'
import type { Rotation } from './rotation.ts'
import { presentRotation, RotationShape } from './rotation-json.ts'
import { MOST_MEMBERS } from './rotation-rules.ts'
import { keptRotations } from './rotation-store.ts'

const resource = 'rotation'
const pathParams = { rotation: 'Name of a rotation.' }
const Rotations = Type.Object({ rotations: Type.Array(RotationShape) }, { additionalProperties: false })

const params = {
  name: text('One line of at most 64 characters, unique.'),
  period: text('How long a turn takes: day, week or two weeks. week by default.'),
  start: time('When the first turn begins; now by default. Later turns begin at the same time of day.'),
  time_zone: text('The clock by which turns begin, such as Europe/Berlin; UTC by default.'),
  users: refs('Ids or login names of the users, in their order.', MOST_MEMBERS),
}

const getRotations = call({
  method: 'GET',
  path: '/rotation',
  resource,
  summary: 'List rotations.',
  about: 'All for members of editcomponents, and for others those that they are in.',
  params: {},
  answers: Rotations,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({ rotations: await presented(context, await shownRotations(context)) }),
})

const getOneRotation = call({
  method: 'GET',
  path: '/rotation/:rotation',
  pathParams,
  resource,
  summary: 'Get one rotation.',
  about: 'For members of editcomponents, and for the users in it.',
  params: {},
  answers: Rotations,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const ref = context.path.rotation ?? ''
    const found = (await shownRotations(context)).find(({ name }) => fold(name) === fold(ref.trim()))
    if (found === undefined) throw errors.no_such_object({ what: 'rotation', ref })
    return { rotations: await presented(context, [found]) }
  },
})

const postRotation = call({
  method: 'POST',
  idempotency: 'once',
  path: '/rotation',
  resource,
  summary: 'Create a rotation.',
  about: 'For members of editcomponents.',
  params: { ...params, name: documentedAsRequired(params.name), users: documentedAsRequired(params.users) },
  unknownParams: 'refused',
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async ({ db, caller, params }) => ({
    id: await createRotation(db, requireGroup(caller, 'editcomponents').id, params),
  }),
})

const putRotation = call({
  method: 'PUT',
  path: '/rotation/:rotation',
  pathParams,
  resource,
  summary: 'Change a rotation.',
  about: 'For members of editcomponents. users replaces all users.',
  params,
  unknownParams: 'refused',
  answers: updated('rotations'),
  scope: 'admin',
  run: async ({ db, caller, path, params }) => ({
    rotations: [await changeRotation(db, requireGroup(caller, 'editcomponents').id, path.rotation ?? '', params)],
  }),
})

const deleteRotation = call({
  method: 'DELETE',
  path: '/rotation/:rotation',
  pathParams,
  resource,
  summary: 'Delete a rotation.',
  about: 'For members of editcomponents. Refused while a component or a queue uses it.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  run: ({ db, caller, path }) => removeRotation(db, requireGroup(caller, 'editcomponents').id, path.rotation ?? ''),
})

async function shownRotations({ caller, catalogue }: CallContext): Promise<readonly Rotation[]> {
  const { id } = requireLogin(caller)
  const all = await catalogue(keptRotations)
  return isIn(caller, 'editcomponents') ? all : all.filter(({ members }) => members.some((it) => it.id === id))
}

async function presented({ db, select }: CallContext, rotations: readonly Rotation[]) {
  const now = Date.now()
  const isThere = await whoIsThere(db, rotations, now)
  return rotations.map((rotation) => select.pick(presentRotation(rotation, now, isThere)))
}

export const rotationRoutes = [getRotations, getOneRotation, postRotation, putRotation, deleteRotation] as const
