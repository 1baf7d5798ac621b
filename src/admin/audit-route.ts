import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { Source } from '../changes/change-json.ts'
import { madeAsCurrentCaller } from '../platform/queues/current-caller.ts'
import { csvLine } from '../platform/wire/formats/csv.ts'
import { FileAnswer } from '../platform/wire/http/answer.ts'
import { readListPage } from '../platform/wire/list-page.ts'
import { integer, text, texts, time } from '../platform/wire/params.ts'
import { LARGEST_ID } from '../platform/wire/reference.ts'
import { type AuditFilter, readAuditLog } from './audit-log.ts'

const Entry = Type.Object(
  {
    entry: Type.Integer({ description: 'Number of the entry; a later one has a larger number.' }),
    who: Type.Union([Type.String(), Type.Null()], {
      description: 'Login name; null for changes that the server made itself.',
    }),
    class: Type.String(),
    id: Type.Integer({ description: 'Id of the changed object; 0 for parameters, which have no id.' }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'What the object is called now; null if it is deleted or has no name.',
    }),
    field: Type.String({ description: '__create__ and __remove__ stand for the whole object.' }),
    removed: Type.String(),
    added: Type.String(),
    at: Type.String({ format: 'date-time' }),
    source: Source,
  },
  { title: 'AuditEntry', additionalProperties: false },
)

const MOST_ENTRIES = 1000
const USUAL_ENTRIES = 100
/** In a table, which is written as it is read. */
const MOST_LINES = 10_000
const LINES_AT_ONCE = 100

export const getAudit = call({
  method: 'GET',
  path: '/audit',
  resource: 'admin',
  summary: 'List changes of the configuration, newest first.',
  about: `For members of admin. The log does not contain passwords, keys or tokens. With ctype=csv or Accept: text/csv it is a table of at most ${MOST_LINES.toLocaleString('en')} entries.`,
  params: {
    class: texts('Only changes of objects of these classes, such as Tracker::User.'),
    who: text('Only changes by the user with this login name.'),
    id: integer('Only changes of the object with this id.'),
    field: texts('Only changes of these fields; __create__ and __remove__ stand for the whole object.'),
    text: text('Only entries with this text in the name of the field, the old or the new value, in this spelling.'),
    since: time('Only changes at or after this time.'),
    until: time('Only changes before this time.'),
    before: integer('Only entries with a number below this one, to read on.'),
    limit: integer(`Maximum number of entries; at most ${MOST_ENTRIES}, ${USUAL_ENTRIES} by default.`),
    offset: integer('Number of entries to skip.'),
    ctype: text('Format of the response: csv. JSON without it.'),
  },
  answers: Type.Object({ audit: Type.Array(Entry) }, { additionalProperties: false }),
  otherForms: { csv: 'text/csv' },
  scope: 'admin',
  async run(context) {
    const { db, request, caller, params } = context
    requireGroup(caller, 'admin')
    const page = readListPage(params, { usual: USUAL_ENTRIES, most: MOST_ENTRIES })
    const { class: classes, who, id, field: fields, text, since, until, before } = params
    const last = before === undefined ? undefined : Math.min(before, LARGEST_ID)
    const filter = { classes, who, id, fields, text, since, until, before: last }
    if (context.form === 'csv') return tableOf(context, filter)
    return { audit: await readAuditLog(db.within(request.readLimits), caller, { ...filter, ...page }) }
  },
})

type Filter = Omit<AuditFilter, 'limit' | 'offset'>

function tableOf(context: CallContext, filter: Filter) {
  return new FileAnswer({
    size: undefined,
    etag: '',
    headers: {
      'Content-Type': 'text/csv; charset=UTF-8',
      'Content-Disposition': 'attachment; filename="audit.csv"',
      'Cache-Control': 'private, no-cache',
    },
    open: async () => Readable.from(madeAsCurrentCaller(linesOf(context, filter)), { highWaterMark: 1 }),
  })
}

const COLUMNS = ['at', 'who', 'class', 'id', 'name', 'field', 'removed', 'added'] as const

async function* linesOf({ db, request, caller }: CallContext, filter: Filter) {
  yield csvLine(COLUMNS)
  const step = { limit: LINES_AT_ONCE, offset: 0 }
  let before = filter.before
  for (let written = 0; written < MOST_LINES; written += LINES_AT_ONCE) {
    const entries = await readAuditLog(db.within(request.readLimits), caller, { ...filter, ...step, before })
    yield entries.map((entry) => csvLine(COLUMNS.map((column) => entry[column]))).join('')
    before = entries.at(-1)?.entry
    if (entries.length < LINES_AT_ONCE) return
  }
}
