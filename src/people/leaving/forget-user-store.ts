import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { fold } from '../../platform/text/fold.ts'
import { mailboxKey } from '../accounts/mailbox.ts'
import { codeAttemptsKey } from '../factors/code-attempts.ts'

/** What belongs to a user alone. What they did to bugs stays. */
const OWN_TABLES = [
  'user_nicks',
  'api_keys',
  'oauth_codes',
  'login_tokens',
  'user_group_grants',
  'scheduled_mails',
  'saved_searches',
  'dashboards',
  'absences',
  'rotation_members',
  'triage_snoozes',
  'triage_claims',
  'bug_presences',
  'webhooks',
  'mail_choices',
  'mail_forms',
  'request_settings',
  'reminders',
  'deferred_requests',
  'mail_addresses',
  'watches',
  'mail_times',
  'ignored_bugs',
  'bug_tags',
  'last_visits',
  'inbox_entries',
  'incoming_messages',
  'refused_messages',
  'email_changes',
  'account_links',
  'second_factors',
  'recovery_codes',
  'identity_links',
  'sign_in_steps',
  'new_account_mails',
  'idempotent_replies',
] as const

const deleteOwn = OWN_TABLES.map((table) =>
  statement<{ id: number }>()((q, p) => q.deleteFrom(table).where('user_id', '=', p.id)),
)
const deleteWatches = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('watched_users').where((row) => row.or([row('watcher_id', '=', p.id), row('watched_id', '=', p.id)])),
)
const endTriage = statement<{ id: number }>()((q, p) =>
  q.updateTable('components').set({ triage_owner_id: null }).where('triage_owner_id', '=', p.id),
)
const deleteFailures = statement<{ key: string }>()((q, p) =>
  q.deleteFrom('login_failures').where('login_key', '=', p.key),
)
/** Requests to join, and those whose mail is not written yet, do not name a user. */
const deleteLinksTo = statement<{ login: string; mailbox: string }>()((q, p) =>
  q
    .deleteFrom('account_links')
    .where((row) => row.or([row('recipient_key', '=', p.login), row('recipient_key', '=', p.mailbox)])),
)
/** What keys of the user have proposed and nobody has decided: nobody stands for it any more. */
const deleteProposals = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('proposals').where('user_id', '=', p.id).where('state', 'not in', ['accepted', 'declined']),
)
const forgetLastSeen = statement<{ id: number }>()((q, p) =>
  q.updateTable('users').set({ last_seen_on: null, has_factor: 0, nick: null }).where('id', '=', p.id),
)

/** Those of others may name the user. All of them are gone after a day, so they can go at once. */
const deleteSlowSearches = statement<object>()((q) => q.deleteFrom('slow_searches'))

export async function deleteWhatUserOwns(tx: ConfigurationTransaction, id: number) {
  for (const remove of deleteOwn) await tx.all(remove, { id })
  await tx.all(deleteWatches, { id })
  await tx.all(endTriage, { id })
  await tx.all(deleteProposals, { id })
  await tx.all(deleteFailures, { key: codeAttemptsKey(id) })
  await tx.all(forgetLastSeen, { id })
  await tx.all(deleteSlowSearches, {})
}

/** What refers to the user by a login name that they have or had. */
export async function deleteWhatNames(tx: ConfigurationTransaction, login: string) {
  await tx.all(deleteFailures, { key: fold(login) })
  await tx.all(deleteLinksTo, { login: fold(login), mailbox: mailboxKey(login) })
}

const replaceEntry = statement<{ id: number; removed: string; added: string }>()((q, p) =>
  q.updateTable('audit_log').set({ removed: p.removed, added: p.added }).where('id', '=', p.id),
)

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

/** Fields of the audit log with what users call themselves and their devices, and who they are elsewhere. */
const NAMING_FIELDS = ['full_name', 'nick', 'login_denied_text', 'provider', 'factors']

/** Deletes names and reasons from the entries about the user. */
export async function forgetNamesInAudit(tx: ConfigurationTransaction, id: number) {
  for (const entry of await tx.all(entriesOfUser, { id }))
    if (NAMING_FIELDS.includes(entry.field)) await tx.all(replaceEntry, { id: entry.id, removed: '', added: '' })
}
