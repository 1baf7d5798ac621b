import { Type } from '@sinclair/typebox'
import type { AccountNotice, NoticeJob } from '../../../access/account-notice.ts'
import { call } from '../../../access/call.ts'
import { requireGroup } from '../../../access/caller.ts'
import { recordAudit } from '../../../changes/audit.ts'
import { listUsersByIds } from '../../../people/users/user-store.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { integer, integers, required, text } from '../../../platform/wire/params.ts'
import type { AddresseeRef, MailJob } from '../mail-job.ts'
import { findMailOutage } from '../sending/mail-outage-store.ts'
import {
  countUndelivered,
  deleteUndelivered,
  listUndelivered,
  retryUndelivered,
  type UndeliveredRow,
} from './undelivered-store.ts'

const resource = 'mail'
const Time = Type.String({ format: 'date-time' })
const strict = { additionalProperties: false }

const Undelivered = Type.Object(
  {
    id: Type.Integer(),
    to: Type.String({ description: 'Login name, or an address without an account.' }),
    bug_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a message about an account.' }),
    about: Type.String({ description: 'change, dependency, request or account.' }),
    created_at: Time,
    attempts: Type.Integer(),
    error: Type.String({ description: 'The error of the last attempt; empty if there was none.' }),
    died_at: Type.Union([Time, Type.Null()]),
    next_try_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'UndeliveredMail', ...strict },
)

const Outage = Type.Object(
  { since: Time, last_at: Time, error: Type.String({ description: 'The error of the last attempt.' }) },
  { title: 'MailOutage', ...strict },
)

const MOST = 1000
const USUAL = 100
const LARGEST_ID = 2 ** 31 - 1

const getUndelivered = call({
  method: 'GET',
  path: '/mail/undelivered',
  resource,
  summary: 'List the messages that could not be delivered.',
  about: 'For members of admin. Newest first; the content is not returned.',
  params: {
    state: text('dead for messages that failed for good, waiting for messages that are still tried; dead by default.'),
    limit: integer(`Maximum number of messages; at most ${MOST}, ${USUAL} by default.`),
    before: integer('Only messages with a smaller id: the last id of the previous page.'),
  },
  answers: Type.Object(
    {
      waiting: Type.Integer(),
      dead: Type.Integer(),
      outage: Type.Union([Outage, Type.Null()], { description: 'Since when no mail can be sent; null if it can.' }),
      messages: Type.Array(Undelivered),
    },
    strict,
  ),
  scope: 'admin',
  async run({ db, caller, settings, params }) {
    requireGroup(caller, 'admin')
    const { state = 'dead', limit = USUAL, before = LARGEST_ID } = params
    if (state !== 'dead' && state !== 'waiting')
      throw errors.bad_value({ name: 'state', value: state, right: 'it must be dead or waiting' })
    if (limit < 1 || limit > MOST)
      throw errors.bad_value({ name: 'limit', value: limit, right: `it must be from 1 to ${MOST}` })
    const rows = await listUndelivered(db, state, { most: limit, before: Math.min(before, LARGEST_ID) })
    const outage = (await findMailOutage(db)) ?? null
    return { ...(await countUndelivered(db)), outage, messages: await presented(db, settings, rows) }
  },
})

const retryMail = call({
  method: 'POST',
  idempotency: 'once',
  path: '/mail/undelivered/retry',
  resource,
  summary: 'Try dead messages again, and waiting ones now.',
  about:
    'For members of admin. Each message is written anew with what its recipient may see now. Returns the ids of the messages that are tried.',
  params: { ids: integers('Ids of dead or waiting messages; by default all of them.') },
  status: 200,
  answers: Type.Object(
    {
      ids: Type.Array(Type.Integer(), { description: 'The given messages; without ids, those that were dead.' }),
      waiting: Type.Integer({ description: 'How many messages waited, which are now tried at once.' }),
    },
    strict,
  ),
  scope: 'admin',
  async run({ db, caller, params }) {
    requireGroup(caller, 'admin')
    return db.transaction(async (tx) => {
      if (params.ids === undefined) {
        const { waiting } = await countUndelivered(tx)
        return { ids: (await retryUndelivered(tx)).dead, waiting }
      }
      const ids = [...new Set(params.ids)]
      const { dead, waiting } = await retryUndelivered(tx, ids)
      const missing = ids.find((id) => !dead.includes(id) && !waiting.includes(id))
      if (missing !== undefined) throw errors.no_such_object({ what: 'undelivered message', ref: String(missing) })
      return { ids, waiting: waiting.length }
    })
  },
})

const deleteMail = call({
  method: 'DELETE',
  path: '/mail/undelivered',
  resource,
  summary: 'Delete dead or waiting messages.',
  about:
    'For members of admin. A message that is being sent at this moment is left alone. Returns the ids of the deleted messages. It is recorded in the audit log.',
  params: { ids: required(integers('Ids of dead or waiting messages.')) },
  answers: Type.Object({ ids: Type.Array(Type.Integer()) }, strict),
  scope: 'admin',
  async run({ db, caller, params }) {
    const admin = requireGroup(caller, 'admin')
    return db.transaction(async (tx) => {
      const ids = await deleteUndelivered(tx, [...new Set(params.ids)])
      if (ids.length > 0)
        await recordAudit(
          tx,
          { who: admin.id, class: 'Mail', objectId: 0 },
          { messages: { removed: listed(ids), added: '' } },
        )
      return { ids }
    }, 'accounts')
  },
})

const MOST_LISTED = 50

function listed(ids: readonly number[]) {
  return ids.slice(0, MOST_LISTED).join(', ') + (ids.length > MOST_LISTED ? ', …' : '')
}

async function presented(db: Db, settings: Settings, rows: readonly UndeliveredRow[]) {
  const jobs = rows.map((row) => ({ row, about: aboutOf(JSON.parse(row.payload) as MailJob | NoticeJob, settings) }))
  const ids = jobs.flatMap(({ about: { to } }) => ('userId' in to ? to.userId : []))
  const logins = new Map((await listUsersByIds(db, [...new Set(ids)])).map(({ id, login }) => [id, login]))
  return jobs.map(({ row, about: { to, bugId, type } }) => ({
    id: row.id,
    to: 'userId' in to ? (logins.get(to.userId) ?? '') : to.address,
    bug_id: bugId,
    about: type,
    created_at: row.created_at,
    attempts: row.attempts,
    error: row.last_fault ?? '',
    died_at: row.died_at,
    next_try_at: row.next_try_at,
  }))
}

function aboutOf(job: MailJob | NoticeJob, settings: Settings) {
  if ('notice' in job) return { to: addresseeOf(job.notice, settings), bugId: null, type: 'account' }
  return { to: job.to, bugId: job.bugId, type: job.topic.type }
}

function addresseeOf(notice: AccountNotice, { maintainer }: Settings): AddresseeRef {
  if (notice.what === 'locked_out') return { address: maintainer }
  if (notice.what === 'link_asked') return { address: notice.login }
  if (notice.what === 'email_change_asked' && notice.to === 'after') return { address: notice.login }
  return notice.what === 'login_changed' ? { address: notice[notice.to] } : { userId: notice.userId }
}

export const undeliveredRoutes = [getUndelivered, retryMail, deleteMail] as const
