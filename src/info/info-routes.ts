import { Type } from '@sinclair/typebox'
import { call } from '../access/call.ts'
import { isIn, isSignedIn } from '../access/caller.ts'
import { release } from '../platform/config/release.ts'
import { type Audience, definitionOf, settingNames, settingText, shownSetting } from '../platform/config/settings.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { timeNow } from '../platform/time/clock.ts'
import { texts } from '../platform/wire/params.ts'
import { newestAuditTime } from './newest-audit-time.ts'

const resource = 'info'
const answered = { additionalProperties: false }

const version = call({
  method: 'GET',
  path: '/version',
  resource,
  summary: 'The release of this installation.',
  params: {},
  answers: Type.Object({ version: Type.String() }, answered),
  scope: 'read',
  isOpen: true,
  ignoresCredentials: true,
  run: () => ({ version: release }),
})

const extensions = call({
  method: 'GET',
  path: '/extensions',
  resource,
  summary: 'The installed extensions, by name. There are none.',
  params: {},
  answers: Type.Object({ extensions: Type.Record(Type.String(), Type.Object({ version: Type.String() })) }, answered),
  scope: 'read',
  ignoresCredentials: true,
  run: () => ({ extensions: {} }),
})

const timezone = call({
  method: 'GET',
  path: '/timezone',
  resource,
  summary: 'The time zone of all times: always UTC.',
  params: {},
  answers: Type.Object({ timezone: Type.Literal('+0000') }, answered),
  scope: 'read',
  isOpen: true,
  ignoresCredentials: true,
  run: () => ({ timezone: '+0000' }),
})

const databaseTime = statement<object>()((q, _, d) => q.selectNoFrom(d.now().as('now')))
const Time = Type.String({ format: 'date-time' })

const time = call({
  method: 'GET',
  path: '/time',
  resource,
  summary: 'The time of the database and of this server.',
  about: 'db_time is the one to rely on for searches.',
  params: {},
  answers: Type.Object(
    {
      db_time: Time,
      web_time: Time,
      web_time_utc: Time,
      tz_offset: Type.Literal('+0000'),
      tz_short_name: Type.Literal('UTC'),
      tz_name: Type.Literal('UTC'),
    },
    answered,
  ),
  scope: 'read',
  ignoresCredentials: true,
  async run({ db }) {
    const web_time = timeNow()
    const row = await db.first(databaseTime, {})
    return {
      db_time: row?.now,
      web_time,
      web_time_utc: web_time,
      tz_offset: '+0000',
      tz_short_name: 'UTC',
      tz_name: 'UTC',
    }
  },
})

const parameters = call({
  method: 'GET',
  path: '/parameters',
  servesSetup: true,
  resource,
  summary: 'The parameters of this installation that the caller may see.',
  about:
    'Anonymous callers get two, logged-in users a fixed list, and members of tweakparams all. Every caller gets collapsed_comment_tags, and the parameters that hide fields in the pages, by naming them. Every value is text.',
  params: {},
  answers: Type.Object({ parameters: Type.Record(Type.String(), Type.String()) }, answered),
  selectsFields: true,
  scope: 'read',
  isOpen: true,
  run({ caller, settings, select, baseUrl }) {
    const audiences: Audience[] = [
      'anyone',
      'anyone-by-name',
      'named-or-signed-in',
      ...(isSignedIn(caller) ? (['signed-in'] as const) : []),
      ...(isIn(caller, 'tweakparams') ? (['administrator'] as const) : []),
    ]
    const visible = settingNames.filter((name) => audiences.includes(definitionOf(name)?.audience ?? 'administrator'))
    const shown = { ...settings, urlbase: settings.urlbase || `${baseUrl}/` }
    const values = visible.map((name) => [name, shownSetting(name, settingText(shown, name))])
    const usual: ReadonlySet<Audience> = new Set([
      'anyone',
      'signed-in',
      ...(isSignedIn(caller) ? (['named-or-signed-in'] as const) : []),
    ])
    const kindOf = (name: string) =>
      audiences.includes('administrator') || usual.has(definitionOf(name)?.audience ?? 'administrator')
        ? 'default'
        : 'extra'
    return { parameters: select.pick(Object.fromEntries(values), kindOf) }
  },
})

const lastAuditTime = call({
  method: 'GET',
  path: '/last_audit_time',
  resource,
  summary: 'When the configuration was last changed.',
  params: { class: texts('Only of these classes, such as Tracker::Product. Words of another form are ignored.') },
  answers: Type.Object({ last_audit_time: Type.Union([Time, Type.Null()]) }, answered),
  scope: 'read',
  run: async ({ db, params }) => ({ last_audit_time: await newestAuditTime(db, params.class ?? []) }),
})

export const infoRoutes = [version, extensions, timezone, time, parameters, lastAuditTime] as const
