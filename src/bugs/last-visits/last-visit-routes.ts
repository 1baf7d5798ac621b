import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { refs, required } from '../../platform/wire/params.ts'
import { readRecentVisits, readVisits, recordVisits } from './last-visits.ts'

const resource = 'bug_user_last_visit'
const path = '/bug_user_last_visit'
const pathParams = { ref: 'Number or alias of a bug.' }

const Visits = Type.Array(
  Type.Object(
    { id: Type.Integer(), last_visit_ts: Type.String() },
    { title: 'LastVisit', additionalProperties: false },
  ),
)

const postVisit = call({
  method: 'POST',
  idempotency: 'once',
  path: `${path}/:ref`,
  pathParams,
  resource,
  summary: 'Record that the caller visits a bug.',
  about: 'Needs a login and a bug that the caller can see.',
  params: { ids: refs('More bugs.') },
  answers: Visits,
  selectsFields: true,
  scope: 'write',
  run: (context) => recordVisits(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const postVisits = call({
  method: 'POST',
  idempotency: 'once',
  path,
  resource,
  summary: 'Record that the caller visits several bugs.',
  about: 'If the caller cannot see one of the bugs, no visit is recorded.',
  params: { ids: required(refs('The bugs, by number or alias.')) },
  answers: Visits,
  selectsFields: true,
  scope: 'write',
  run: (context) => recordVisits(context, context.params.ids),
})

const getVisit = call({
  method: 'GET',
  path: `${path}/:ref`,
  pathParams,
  resource,
  summary: 'Get the time of the caller’s last visit to a bug.',
  about: 'Bugs that the caller has not visited or cannot see are left out.',
  params: { ids: refs('More bugs.') },
  answers: Visits,
  selectsFields: true,
  scope: 'read',
  run: (context) => readVisits(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const getVisits = call({
  method: 'GET',
  path,
  resource,
  summary: 'Get the bugs that the caller visited last.',
  about: 'Returns the 20 newest visits, or all visits to the bugs in ids.',
  params: { ids: refs('Only these bugs, by number or alias.') },
  answers: Visits,
  selectsFields: true,
  scope: 'read',
  run: (context) => (context.params.ids ? readVisits(context, context.params.ids) : readRecentVisits(context)),
})

export const lastVisitRoutes = [postVisit, postVisits, getVisit, getVisits] as const
