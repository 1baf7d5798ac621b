import { sql } from 'kysely'
import { noteParametersChanged, readSettings, storeParameter } from '../../access/installation.ts'
import { FIELDS_OF_PEOPLE } from '../../bug-fields/recorded-fields.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { fold } from '../../platform/text/fold.ts'
import { changeTileQueries } from '../dashboards/dashboard-store.ts'

/** A column with texts that contain login names. */
type LoginColumn =
  | `${'bug_changes' | 'audit_log'}.${'removed' | 'added'}`
  | 'outbox.facts'
  | `jobs.${'payload' | 'last_fault'}`
  | 'mail_outages.error'
  | 'refused_messages.reason'
  | ProposalColumn
  | ImportColumn
type ProposalColumn = `proposal_rows.${'params' | 'lines'}`
type ImportColumn = `import_notes.${'note' | 'source_row'}`

/** Fields whose history contains login names. Other fields contain what users wrote. */
const PEOPLE_FIELDS = sql.join([...FIELDS_OF_PEOPLE].map((it) => sql.lit(it)))

/** A new bug and a file are one row each, with the people in it. */
const IS_ABOUT_PEOPLE = sql`name in (${sql.join(['bug', 'attachment', 'flags', 'product', ...FIELDS_OF_PEOPLE].map((it) => sql.lit(it)))})`

const COLUMNS = [
  columnOf('bug_changes.removed', sql`field in (${PEOPLE_FIELDS})`),
  columnOf('bug_changes.added', sql`field in (${PEOPLE_FIELDS})`),
  columnOf('audit_log.removed'),
  columnOf('audit_log.added'),
  columnOf('outbox.facts'),
  columnOf('jobs.payload'),
  // A mail server that refuses a recipient often repeats the address.
  columnOf('jobs.last_fault'),
  columnOf('mail_outages.error'),
  // A refusal names a user whom a message names.
  columnOf('refused_messages.reason'),
  // Rows about people; others have what users wrote.
  columnOf('proposal_rows.params', IS_ABOUT_PEOPLE),
  columnOf('proposal_rows.lines', IS_ABOUT_PEOPLE),
  columnOf('import_notes.note'),
  columnOf('import_notes.source_row'),
]

function columnOf(place: LoginColumn, condition = sql`1 = 1`) {
  const [table = '', column = ''] = place.split('.')
  const text = sql.ref<string>(column)
  return {
    find: statement<{ login: string }>()((q, p) =>
      q
        .selectFrom(
          sql<{ id: number; text: string }>`(select id, ${text} as text from ${sql.table(table)}
            where ${condition} and lower(${text}) <> replace(lower(${text}), ${p.login}, ''))`.as('found'),
        )
        .selectAll(),
    ),
    save: statement<{ id: number; text: string }>()((q, p) =>
      q
        .updateTable(table as 'audit_log')
        .set({ [column]: p.text })
        .where('id', '=', p.id),
    ),
  }
}

/** Replaces a login name in histories, the audit log, events, jobs, failures of mail, reports of imports, and searches and dashboards of other users. */
export async function replaceLogin(tx: ConfigurationTransaction, login: string, neutral: string) {
  const replaced = (text: string) => text.replace(wholeLogin(login, "[.+=@'-]"), neutral)
  // Quicksearch also writes `@login` and `field=login`.
  const replacedInText = (text: string) => text.replace(wholeLogin(login, "[.+'-]"), neutral)
  for (const { find, save } of COLUMNS)
    for (const { id, text } of await tx.all(find, { login: fold(login) }))
      if (replaced(text) !== text) await tx.all(save, { id, text: replaced(text) })
  for (const { find, save } of QUERIES)
    for (const { id, query } of await tx.all(find, {})) {
      const renamed = replacedInQuery(query, replacedInText)
      if (renamed !== query) await tx.all(save, { id, query: renamed })
    }
  await changeTileQueries(tx, (query) => replacedInQuery(query, replacedInText))
}

/** Not inside of a longer login name or address, which may have these characters after a letter or digit. */
function wholeLogin(login: string, inside: string) {
  const literal = login.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`${literal}(?<!\\w${inside}*${literal})(?![\\w@+=-]|\\.\\w)`, 'gi')
}

const QUERIES = (['saved_searches', 'series', 'triage_queues'] as const).map((table) => ({
  find: statement<object>()((q) => q.selectFrom(table).select(['id', 'query'])),
  save: statement<{ id: number; query: string }>()((q, p) =>
    q
      .updateTable(table as 'series')
      .set({ query: p.query })
      .where('id', '=', p.id),
  ),
}))

/** A query without the login name is returned unchanged, byte for byte. */
function replacedInQuery(query: string, replaced: (text: string) => string): string {
  const parameters = [...new URLSearchParams(query)]
  if (parameters.every(([, value]) => replaced(value) === value)) return query
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, replaced(value)])).toString()
}

const ccLists = statement<object>()((q) =>
  q.selectFrom('flag_types').select(['id', 'cc_list']).where('cc_list', '!=', ''),
)
const setCcList = statement<{ id: number; list: string }>()((q, p) =>
  q.updateTable('flag_types').set({ cc_list: p.list }).where('id', '=', p.id),
)

/** Removes an address from the lists of people who get mail: those of flag types, and those in parameters. */
export async function removeFromMailLists(tx: ConfigurationTransaction, login: string) {
  const settings = await readSettings(tx)
  const names = [login, login + settings.emailsuffix].map(fold)
  const without = (list: string) =>
    list
      .split(/[\s,]+/)
      .filter((it) => it !== '' && !names.includes(fold(it)))
      .join(', ')
  const has = (list: string) => list.split(/[\s,]+/).some((it) => names.includes(fold(it)))
  for (const { id, cc_list } of await tx.all(ccLists, {}))
    if (has(cc_list)) await tx.all(setCcList, { id, list: without(cc_list) })
  for (const name of ['globalwatchers', 'maintainer'] as const) {
    if (!has(settings[name])) continue
    await storeParameter(tx, name, without(settings[name]))
    await noteParametersChanged(tx)
  }
}
