import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { Database } from '../../platform/database/tables.ts'

/** The tables with what is stored about a user, with the column that refers to the user and the columns that are returned. */
const PARTS = {
  nicks: part('user_nicks', 'user_id', 'nick, chosen_at'),
  api_keys: part(
    'api_keys',
    'user_id',
    'id, description, scopes, created_at, expires_at, revoked_at, last_used_at, resource, grant_ends_at',
  ),
  sessions: part('login_tokens', 'user_id', 'id, device, address, last_address, created_at, last_used_at'),
  second_factors: part(
    'second_factors',
    'user_id',
    'id, kind, name, rp_id, is_multi_device, is_backed_up, created_at, last_used_at',
  ),
  sign_in_providers: part('identity_links', 'user_id', 'issuer, subject, created_at, last_used_at'),
  saved_searches: part('saved_searches', 'user_id', 'id, kind, name, query'),
  dashboards: part('dashboards', 'user_id', 'id, name, tiles'),
  absences: part('absences', 'user_id', 'id, starts_at, ends_at, note'),
  proposals: part('proposals', 'user_id', 'id, kind, bug_id, reason, at, state'),
  proposals_decided: part('proposal_rows', 'decided_by_id', 'proposal_id, name, state, decided_at'),
  triage_decisions: part('triage_decisions', 'user_id', 'id, queue_id, bug_id, kind, at'),
  slow_searches: part('slow_searches', 'user_id', 'at, path, query, milliseconds'),
  scheduled_mails: part('scheduled_mails', 'user_id', 'id, subject, body'),
  webhooks: part('webhooks', 'user_id', 'id, url, events, created_at, key_id'),
  code_sources: part('code_sources', 'user_id', 'id, name, kind'),
  mail_preferences: part('mail_choices', 'user_id', 'relationship, event, is_wanted'),
  refused_messages: part('refused_messages', 'user_id', 'at, reason'),
  request_settings: part('request_settings', 'user_id', 'blocks_questions, is_reminded'),
  reminders: part('reminders', 'user_id', 'id, bug_id, note, remind_on, created_at, sent_at'),
  deferred_requests: part('deferred_requests', 'user_id', 'flag_id, deferred_until'),
  watched_users: part('watched_users', 'watcher_id', 'watched_id'),
  mail_times: part(
    'mail_times',
    'user_id',
    'zone, digest_at, quiet_from, quiet_to, are_weekends_quiet, unseen_minutes',
  ),
  watches: part('watches', 'user_id', 'id, product_id, component_id, keyword_id'),
  ignored_bugs: part('ignored_bugs', 'user_id', 'bug_id'),
  bug_tags: part('bug_tags', 'user_id', 'bug_id, tag'),
  last_visits: part('last_visits', 'user_id', 'bug_id, at'),
  inbox: part('inbox_entries', 'user_id', 'bug_id, since, state, state_at, snoozed_until, read_at'),
  requested_addresses: part('email_changes', 'user_id', 'login, asked_at'),
  bugs_filed: part('bugs', 'creator_id', 'id, created_at'),
  bugs_assigned: part('bugs', 'assigned_to_id', 'id'),
  bugs_copied: part('bug_cc', 'user_id', 'bug_id'),
  votes: part('bug_votes', 'user_id', 'bug_id, votes'),
  comments: part('comments', 'user_id', 'id, bug_id, at, text, is_private'),
  comment_versions: part('comment_versions', 'user_id', 'id, comment_id, at'),
  reactions: part('comment_reactions', 'user_id', 'comment_id, name'),
  attachments: part('attachments', 'user_id', 'id, bug_id, created_at, file_name, summary, content_type, size'),
  flags_set: part('flags', 'setter_id', 'id, bug_id, attachment_id, status, created_at'),
  flags_requested: part('flags', 'requestee_id', 'id, bug_id, attachment_id, status, created_at'),
  changes: part('bug_changes', 'user_id', 'bug_id, at, field, removed, added'),
  administration: part('audit_log', 'user_id', 'class, object_id, field, removed, added, at'),
} as const

export type StoredPart = keyof typeof PARTS
export const STORED_PARTS = Object.keys(PARTS) as StoredPart[]

export type StoredData = Record<StoredPart, readonly Readonly<Record<string, unknown>>[]>

/** Secrets, and digests of secrets, are left out. */
export async function readStoredData(db: LimitedDb, userId: number): Promise<StoredData> {
  const lists: [string, readonly Readonly<Record<string, unknown>>[]][] = []
  for (const name of STORED_PARTS) {
    const { table, owner, columns } = PARTS[name]
    const rows = await db.querySlowly((q) =>
      q
        .selectFrom(table)
        .select(columns.map((column) => sql.ref<unknown>(column).as(column)))
        .where(sql.ref<number>(owner), '=', userId),
    )
    lists.push([name, rows])
  }
  return Object.fromEntries(lists) as StoredData
}

function part(table: keyof Database, owner: string, columns: string) {
  return { table, owner, columns: columns.split(', ') }
}
