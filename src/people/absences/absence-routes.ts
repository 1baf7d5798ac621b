import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { Created } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, refs, skippingBlanks, text, time } from '../../platform/wire/params.ts'
import type { AbsenceEdit } from './absence.ts'
import { changeAbsence, createAbsence, removeAbsence } from './change-absences.ts'
import { readAbsences } from './read-absences.ts'

const Absence = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    user: Type.String({ description: 'Login name.' }),
    from: Type.String(),
    until: Type.String({ description: 'The first moment at which the user is back.' }),
    note: Type.String(),
    is_now: Type.Boolean({ description: 'Whether the user is away now.' }),
  },
  { title: 'Absence', additionalProperties: false },
)
const Absences = Type.Object({ absences: Type.Array(Absence) }, { additionalProperties: false })

const resource = 'absence'
const pathParams = { id: 'Id of an absence of the caller.' }
const params = {
  from: time('When it begins; a date without a time means midnight UTC.'),
  until: time('The first moment at which the user is back; in the future, at most two years from now.'),
  note: text('One line of at most 200 characters, which everybody sees who sees the user; empty by default.'),
}

const getAbsences = call({
  method: 'GET',
  path: '/absence',
  resource,
  summary: 'List the absences of users.',
  about:
    'Those that are not over, by user and beginning. Users who do not exist, or whom the caller may not see, are left out.',
  params: { users: skippingBlanks(refs('Ids or login names of users; the caller by default.', 200)) },
  answers: Absences,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { id } = requireLogin(context.caller)
    const found = await readAbsences(context, context.params.users ?? [String(id)])
    return { absences: found.map((it) => context.select.pick(it)) }
  },
})

const postAbsence = call({
  method: 'POST',
  idempotency: 'once',
  path: '/absence',
  resource,
  summary: 'Note that one is away.',
  about: 'Rotations skip users who are away.',
  params: { ...params, from: documentedAsRequired(params.from), until: documentedAsRequired(params.until) },
  unknownParams: 'refused',
  answers: Created,
  status: 201,
  scope: 'write',
  run: async ({ db, caller, params }) => ({ id: await createAbsence(db, requireLogin(caller).id, editOf(params)) }),
})

const putAbsence = call({
  method: 'PUT',
  path: '/absence/:id',
  pathParams,
  resource,
  summary: 'Change one’s own absence.',
  params,
  unknownParams: 'refused',
  answers: Absences,
  scope: 'write',
  async run(context) {
    const { id } = requireLogin(context.caller)
    const changed = await changeAbsence(context.db, id, context.path.id ?? '', editOf(context.params))
    const found = await readAbsences(context, [String(id)])
    return { absences: found.filter((it) => it.id === changed.id) }
  },
})

const deleteAbsence = call({
  method: 'DELETE',
  path: '/absence/:id',
  pathParams,
  resource,
  summary: 'Delete one’s own absence.',
  params: {},
  answers: Created,
  scope: 'write',
  run: ({ db, caller, path }) => removeAbsence(db, requireLogin(caller).id, path.id ?? ''),
})

interface Requested {
  from?: string | undefined
  until?: string | undefined
  note?: string | undefined
}

function editOf({ from, until, note }: Requested): Partial<AbsenceEdit> {
  return {
    ...(from !== undefined && { starts_at: from }),
    ...(until !== undefined && { ends_at: until }),
    ...(note !== undefined && { note }),
  }
}

export const absenceRoutes = [getAbsences, postAbsence, putAbsence, deleteAbsence] as const
