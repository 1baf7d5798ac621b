import { Type } from '@sinclair/typebox'
import { ACCOUNT_MAIL_QUEUE, MAIL_QUEUE } from '../access/account-notice.ts'
import { call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { listBacklog } from '../outbound/consumers/backlog-store.ts'
import { release } from '../platform/config/release.ts'
import { MOST_COUNTED, readInstallationState } from './installation-state.ts'
import { warningsFor } from './installation-warnings.ts'

const answered = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const MONTH = 30 * 24 * 3_600_000

const Queue = Type.Object(
  {
    name: Type.String(),
    waiting: Type.Integer({ description: 'Counted up to 10000.' }),
    oldest: Type.Union([Time, Type.Null()], { description: 'Since when the oldest one waits.' }),
    failed: Type.Integer({ description: 'Given up; counted up to 10000.' }),
  },
  answered,
)

const Warning = Type.Object(
  {
    name: Type.String({ description: 'Stays the same in later releases.' }),
    level: Type.Union([Type.Literal('danger'), Type.Literal('warning'), Type.Literal('info')]),
    text: Type.String(),
    parameter: Type.Union([Type.String(), Type.Null()], { description: 'The parameter that would change it.' }),
  },
  answered,
)

const getStatus = call({
  method: 'GET',
  path: '/admin/status',
  resource: 'admin',
  summary: 'The state of the installation.',
  about: 'For members of admin. It contains no secrets and no texts of bugs.',
  params: {},
  answers: Type.Object(
    {
      release: Type.String(),
      engine: Type.Object({ name: Type.String(), version: Type.String() }, answered),
      now: Time,
      started_at: Type.String({ format: 'date-time', description: 'Of the process that answers.' }),
      counts: Type.Object(
        {
          bugs: Type.Integer(),
          open_bugs: Type.Integer(),
          filed: Type.Integer({ description: 'Bugs of the last 30 days.' }),
          filed_before: Type.Integer({ description: 'Bugs of the 30 days before those.' }),
          users: Type.Integer(),
          active_users: Type.Integer({ description: 'Seen in the last 30 days.' }),
        },
        { description: `Each is counted up to ${MOST_COUNTED}.`, ...answered },
      ),
      database_bytes: Type.Integer(),
      attachment_bytes: Type.Integer({
        description: `Of the first ${MOST_COUNTED} attachments, before contents that are the same are stored once.`,
      }),
      queues: Type.Array(Queue),
      feed: Type.Object({ waiting: Type.Integer(), oldest: Type.Union([Time, Type.Null()]) }, answered),
      webhooks: Type.Object({ active: Type.Integer(), failing: Type.Integer(), off: Type.Integer() }, answered),
      mail_outage_since: Type.Union([Time, Type.Null()], { description: 'Since when no mail can be sent.' }),
      warnings: Type.Array(Warning, { description: 'What needs attention, the worst first.' }),
    },
    answered,
  ),
  scope: 'admin',
  async run({ db, request, caller, settings, baseUrl }) {
    requireGroup(caller, 'admin')
    const now = Date.now()
    const state = await readInstallationState(db.within(request.readLimits), dayOf(now - MONTH), dayOf(now - 2 * MONTH))
    const backlog = await listBacklog(db)
    const of = (kind: string) => backlog.filter((row) => row.kind === kind)
    const webhooksIn = (name: string) => Number(of('webhooks').find((row) => row.name === name)?.waiting ?? 0)
    const queues = of('queue').map(({ name, waiting, oldest, failed }) => ({
      ...{ name, waiting: Number(waiting), oldest, failed: Number(failed) },
    }))
    const [feed] = of('feed')
    const mail_outage_since = of('mail outage')[0]?.oldest ?? null
    const isMail = ({ name }: { name: string }) => name === MAIL_QUEUE || name === ACCOUNT_MAIL_QUEUE
    return {
      release,
      engine: { name: state.engine, version: state.engine_version },
      now: secondOf(now),
      started_at: secondOf(now - process.uptime() * 1000),
      counts: {
        ...{ bugs: state.bugs, open_bugs: state.open_bugs, filed: state.filed, filed_before: state.filed_before },
        ...{ users: state.users, active_users: state.active_users },
      },
      database_bytes: state.database_bytes,
      attachment_bytes: state.attachment_bytes,
      queues,
      feed: { waiting: Number(feed?.waiting ?? 0), oldest: feed?.oldest ?? null },
      webhooks: { active: webhooksIn('active'), failing: webhooksIn('failing'), off: webhooksIn('off') },
      mail_outage_since,
      warnings: warningsFor({
        ...{ settings, baseUrl, mailOutageSince: mail_outage_since, failingWebhooks: webhooksIn('failing') },
        failedMail: queues.filter(isMail).reduce((sum, { failed }) => sum + failed, 0),
      }),
    }
  },
})

function secondOf(milliseconds: number) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

function dayOf(milliseconds: number) {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

export const statusRoutes = [getStatus] as const
