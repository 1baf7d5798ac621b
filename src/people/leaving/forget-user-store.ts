import { sql } from 'kysely'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import type { SqlValue } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { fold } from '../../platform/text/fold.ts'

/** What belongs to a user alone. What they did to bugs stays. */
const OWN_TABLES = [
  'api_keys',
  'login_tokens',
  'user_group_grants',
  'scheduled_mails',
  'saved_searches',
  'webhooks',
  'mail_choices',
  'mail_forms',
  'mail_addresses',
  'ignored_bugs',
  'bug_tags',
  'last_visits',
  'incoming_messages',
  'email_changes',
  'account_links',
  'second_factors',
  'recovery_codes',
  'identity_links',
  'sign_in_steps',
  'idempotent_replies',
] as const

const deleteOwn = OWN_TABLES.map((table) =>
  statement<{ id: number }>()((q, p) => q.deleteFrom(table).where('user_id', '=', p.id)),
)
const deleteWatches = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('watched_users').where((row) => row.or([row('watcher_id', '=', p.id), row('watched_id', '=', p.id)])),
)
const deleteFailures = statement<{ key: string }>()((q, p) =>
  q.deleteFrom('login_failures').where('login_key', '=', p.key),
)
const forgetLastSeen = statement<{ id: number }>()((q, p) =>
  q.updateTable('users').set({ last_seen_on: null, has_factor: 0 }).where('id', '=', p.id),
)

export async function deleteWhatUserOwns(tx: ConfigurationTransaction, { id, login }: { id: number; login: string }) {
  for (const remove of deleteOwn) await tx.all(remove, { id })
  await tx.all(deleteWatches, { id })
  await tx.all(deleteFailures, { key: fold(login) })
  await tx.all(forgetLastSeen, { id })
}

/** Fields whose history contains login names. */
const PEOPLE_FIELDS = sql.join(
  ['assigned_to', 'qa_contact', 'cc', 'flagtypes.name', 'reporter'].map((it) => sql.lit(it)),
)

const linesWith = statement<{ login: string }>()((q, p) =>
  q
    .selectFrom('bug_changes')
    .select(['id', 'removed', 'added'])
    .where(sql<boolean>`field in (${PEOPLE_FIELDS}) and ${containing(p.login)}`),
)
const replaceLine = statement<{ id: number; removed: string; added: string }>()((q, p) =>
  q.updateTable('bug_changes').set({ removed: p.removed, added: p.added }).where('id', '=', p.id),
)
const entriesWith = statement<{ login: string }>()((q, p) =>
  q.selectFrom('audit_log').select(['id', 'removed', 'added']).where(containing(p.login)),
)
const replaceEntry = statement<{ id: number; removed: string; added: string }>()((q, p) =>
  q.updateTable('audit_log').set({ removed: p.removed, added: p.added }).where('id', '=', p.id),
)

function containing(login: SqlValue<string>) {
  return sql<boolean>`(removed <> replace(removed, ${login}, '') or added <> replace(added, ${login}, ''))`
}

/** Replaces a login name in the history of bugs and in the audit log. */
export async function replaceLogin(tx: ConfigurationTransaction, login: string, neutral: string) {
  const replaced = (text: string | null) => (text ?? '').replace(wholeLogin(login), neutral)
  for (const { id, removed, added } of await tx.all(linesWith, { login }))
    await tx.all(replaceLine, { id, removed: replaced(removed), added: replaced(added) })
  for (const { id, removed, added } of await tx.all(entriesWith, { login }))
    await tx.all(replaceEntry, { id, removed: replaced(removed), added: replaced(added) })
}

/** Not inside of a longer login name. In lists and flags it is between spaces, commas and brackets. */
function wholeLogin(login: string) {
  return new RegExp(`(?<![^\\s,(])${login.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![^\\s,)])`, 'gi')
}

const entriesOfUser = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select(['id', 'field', 'removed', 'added'])
    .where('class', '=', 'User')
    .where('object_id', '=', p.id),
)

/** The login names that the user ever had, as far as the audit log has them. */
export async function earlierLoginsOf(tx: ConfigurationTransaction, id: number): Promise<string[]> {
  const entries = await tx.all(entriesOfUser, { id })
  const logins = entries.filter(({ field }) => field === 'email' || field === '__create__')
  return [...new Set(logins.flatMap(({ removed, added }) => [removed ?? '', added ?? '']))].filter((it) => it !== '')
}

/** Deletes names and reasons from the entries about the user. */
export async function forgetNamesInAudit(tx: ConfigurationTransaction, id: number) {
  for (const entry of await tx.all(entriesOfUser, { id }))
    if (entry.field === 'full_name' || entry.field === 'login_denied_text')
      await tx.all(replaceEntry, { id: entry.id, removed: '', added: '' })
}
