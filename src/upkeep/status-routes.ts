import { statfs } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { ACCOUNT_MAIL_QUEUE, MAIL_QUEUE } from '../access/account-notice.ts'
import { call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { listSlowSearches } from '../access/slow-search-store.ts'
import { slowSearches } from '../access/slow-searches.ts'
import { listBacklog } from '../outbound/consumers/backlog-store.ts'
import { isMailServer } from '../platform/config/mail-server.ts'
import { release } from '../platform/config/release.ts'
import { findLastOverload } from '../platform/database/chores.ts'
import { listPoorSettings } from '../platform/database/postgres/postgres-advice.ts'
import { errors } from '../platform/errors.ts'
import { integer, text } from '../platform/wire/params.ts'
import { listBackups, noteBackup } from './backup-store.ts'
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

const Bytes = Type.Union([Type.Integer(), Type.Null()])

const Backup = Type.Object(
  { at: Time, bytes: Bytes, source: Type.String({ description: 'What made it, such as lacewing backup.' }) },
  answered,
)

const SlowSearch = Type.Object(
  {
    path: Type.String(),
    query: Type.String({ description: 'The parameters, without credentials; at most 2000 characters.' }),
    user: Type.Union([Type.String(), Type.Null()], { description: 'The login name; null for anonymous callers.' }),
    times: Type.Integer(),
    milliseconds: Type.Integer({ description: 'How long the slowest took.' }),
    last_at: Time,
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
      disk_free_bytes: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Of the disk with the data folder of the server that answers.',
      }),
      backups: Type.Array(Backup, { description: 'The last 14 that were seen, the newest first.' }),
      slow_searches: Type.Array(SlowSearch, {
        description:
          'Searches of the last day that took at least `slow_search_milliseconds`, the slowest 20, each once for each user.',
      }),
      mail_outage_since: Type.Union([Time, Type.Null()], { description: 'Since when no mail can be sent.' }),
      warnings: Type.Array(Warning, { description: 'What needs attention, the worst first.' }),
    },
    answered,
  ),
  scope: 'admin',
  async run({ db, request, caller, settings, baseUrl, config, serverParts }) {
    requireGroup(caller, 'admin')
    // What cannot be written now waits for the next time.
    await serverParts
      .get(slowSearches)
      .write()
      .catch(() => {})
    const now = Date.now()
    const state = await readInstallationState(db.within(request.readLimits), dayOf(now - MONTH), dayOf(now - 2 * MONTH))
    const backlog = await listBacklog(db)
    const of = (kind: string) => backlog.filter((row) => row.kind === kind)
    const webhooksIn = (name: string) => Number(of('webhooks').find((row) => row.name === name)?.waiting ?? 0)
    const queues = of('queue').map(({ name, waiting, oldest, failed }) => ({
      ...{ name, waiting: Number(waiting), oldest, failed: Number(failed) },
    }))
    const [feed] = of('feed')
    const [backups, disk_free_bytes] = [await listBackups(db), await freeBytesOf(config.dataFolder)]
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
      disk_free_bytes,
      backups,
      slow_searches: await listSlowSearches(db),
      mail_outage_since,
      warnings: warningsFor({
        ...{ settings, baseUrl, mailOutageSince: mail_outage_since, failingWebhooks: webhooksIn('failing') },
        ...{
          lastBackupAt: backups[0]?.at,
          lastOverloadAt: await findLastOverload(db),
          freeBytes: disk_free_bytes,
          now,
        },
        poorSettings: await listPoorSettings(db),
        hasMailServer: config.smtpUrl !== undefined || isMailServer(settings.smtp_url),
        failedMail: queues.filter(isMail).reduce((sum, { failed }) => sum + failed, 0),
      }),
    }
  },
})

/** Left on the disk of the folder; null if that cannot be read. */
async function freeBytesOf(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => undefined)
  return found === undefined ? null : found.bavail * found.bsize
}

function secondOf(milliseconds: number) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

function dayOf(milliseconds: number) {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

const LONGEST_SOURCE = 100

const postBackup = call({
  method: 'POST',
  idempotency: 'once',
  path: '/admin/backup',
  resource: 'admin',
  summary: 'Note that another program has made a backup.',
  about: 'For members of admin. `lacewing backup` notes its backups by itself. Nothing is read or copied.',
  params: {
    bytes: integer('The size of the backup.'),
    source: text('What made it, such as pg_dump. At most 100 characters.'),
  },
  answers: Backup,
  status: 201,
  scope: 'admin',
  async run({ db, caller, params }) {
    requireGroup(caller, 'admin')
    const { bytes = null, source = 'another program' } = params
    if (bytes !== null && bytes < 0)
      throw errors.bad_value({ name: 'bytes', value: bytes, right: 'it must be 0 or more' })
    if (source.length > LONGEST_SOURCE) throw errors.text_too_long({ name: 'source', most: LONGEST_SOURCE })
    return noteBackup(db, source, bytes)
  },
})

export const statusRoutes = [getStatus, postBackup] as const
