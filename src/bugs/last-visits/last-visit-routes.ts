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
  path: `${path}/:ref`,
  pathParams,
  resource,
  summary: 'Note that the caller looks at a bug.',
  about: 'For whoever is logged in and sees the bug.',
  params: { ids: refs('More bugs.') },
  answers: Visits,
  selectsFields: true,
  scope: 'write',
  run: (context) => recordVisits(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const postVisits = call({
  method: 'POST',
  path,
  resource,
  summary: 'Note that the caller looks at several bugs.',
  about: 'All of them, or, when one is not there for the caller, none.',
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
  summary: 'Tell when the caller last looked at a bug.',
  about: 'Bugs that the caller has not looked at, or does not see, are left out.',
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
  summary: 'Tell which bugs the caller looked at last.',
  about: 'The 20 newest visits, or those to some bugs.',
  params: { ids: refs('Only these bugs, by number or alias.') },
  answers: Visits,
  selectsFields: true,
  scope: 'read',
  run: (context) => (context.params.ids ? readVisits(context, context.params.ids) : readRecentVisits(context)),
})

export const lastVisitRoutes = [postVisit, postVisits, getVisit, getVisits]
