import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { lockEnabledUser } from '../../people/users/user-store.ts'
import { errors } from '../../platform/errors.ts'
import { nullable, text } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { dayAhead, isOverdue } from './overdue-period.ts'
import { listOpenRequests, lockRequestTo, type OpenRequest, saveDeferral } from './request-store.ts'

const resource = 'request'
const MOST_REQUESTS = 1000
const MOST_DAYS_DEFERRED = 7

const Request = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the flag.' }),
    bug_id: Type.Integer(),
    attachment_id: Type.Union([Type.Integer(), Type.Null()]),
    name: Type.String(),
    setter: Type.String(),
    modification_date: Type.String({ format: 'date-time' }),
    is_overdue: Type.Boolean(),
    deferred_until: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
  },
  { title: 'OpenRequest', additionalProperties: false },
)
const Requests = Type.Object({ requests: Type.Array(Request) }, { additionalProperties: false })

const getRequests = call({
  method: 'GET',
  path: '/request',
  resource,
  summary: 'List what is asked of the caller.',
  about: `The open requests to the caller on bugs that they may see, the oldest first; at most ${MOST_REQUESTS}.`,
  params: {},
  answers: Requests,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    requireLogin(context.caller)
    const requests = await listOpenRequests(context, 'asked', MOST_REQUESTS)
    return { requests: requests.map((request) => context.select.pick(present(request, context))) }
  },
})

const deferRequest = call({
  method: 'PUT',
  path: '/request/:flag_id',
  pathParams: { flag_id: 'Id of a flag that asks the caller.' },
  resource,
  summary: 'Defer the reminders of a request.',
  about: 'For the requestee. Any change of the flag ends it. Returns the request.',
  params: {
    deferred_until: nullable(
      text(
        `The day on which reminders go on, such as 2026-01-31: from tomorrow to ${MOST_DAYS_DEFERRED} days from now, in UTC. Null or empty ends it.`,
      ),
    ),
  },
  unknownParams: 'refused',
  answers: Requests,
  scope: 'write',
  async run(context) {
    const caller = requireLogin(context.caller)
    const ref = context.path.flag_id ?? ''
    const id = idIn(ref) ?? 0
    const until = dayIn(context)
    return context.db.transaction(async (tx) => {
      await lockEnabledUser(tx, caller.id)
      const request = await lockRequestTo(tx, caller.id, id)
      const seen = await listOpenRequests({ ...context, db: tx }, 'asked', MOST_REQUESTS)
      if (request === undefined || !seen.some((it) => it.id === id))
        throw errors.no_such_object({ what: 'request', ref })
      if (until !== undefined) await saveDeferral(tx, { id, userId: caller.id, changedAt: request.modified_at }, until)
      const after = await listOpenRequests({ ...context, db: tx }, 'asked', MOST_REQUESTS)
      return { requests: after.filter((it) => it.id === id).map((it) => present(it, context)) }
    }, 'accounts')
  },
})

/** Undefined if nothing was sent, null if the request is no longer to be deferred. */
function dayIn({ params, rawParams }: CallContext<{ deferred_until: ReturnType<typeof text> }>) {
  if (rawParams.deferred_until === undefined) return undefined
  const day = params.deferred_until?.trim() ?? ''
  if (day === '') return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < dayAhead(1) || day > dayAhead(MOST_DAYS_DEFERRED))
    throw errors.bad_value({
      name: 'deferred_until',
      value: day,
      right: `it must be a day from ${dayAhead(1)} to ${dayAhead(MOST_DAYS_DEFERRED)}`,
    })
  return day
}

function present(request: OpenRequest, { settings }: Pick<CallContext, 'settings'>) {
  const { id, bug_id, attachment_id, name, setter, changed_at, deferred_until } = request
  return {
    id,
    bug_id,
    attachment_id,
    name,
    setter,
    modification_date: changed_at,
    is_overdue: isOverdue(changed_at, settings.nag_interval),
    deferred_until: deferred_until === null || deferred_until <= dayAhead(0) ? null : deferred_until,
  }
}

export const requestRoutes = [getRequests, deferRequest] as const
