import type { Database } from '../../platform/database/tables.ts'

type Table = keyof Database

/** How the rows of a table are written to an archive. */
export interface ArchivedTable {
  readonly kind: 'archived'
  /** The order of the rows. */
  readonly key: readonly string[]
  /** Columns that refer to rows of the same table: they are filled in when all rows are there. */
  readonly ownReferences: readonly string[]
  /** Columns of which the archive has an empty text: what a running server has reserved for itself. */
  readonly blank: readonly string[]
}

/** A table whose rows follow from others. */
interface DerivedTable {
  readonly kind: 'derived'
  readonly from: string
}

/**
 * Every table, in the order in which an import fills them: a row refers only to tables before its own. A new table must
 * be decided on here, which the compiler and a test check.
 */
export const ARCHIVE_TABLES = {
  parameters: by('name'),
  installation_secrets: by('name'),
  state_versions: by('id'),
  users: by('id'),
  user_nicks: by('skeleton'),
  groups: by('id'),
  user_group_grants: by('user_id', 'group_id', 'right', 'source'),
  group_grants: by('member_group_id', 'group_id', 'right'),
  oauth_clients: by('id'),
  api_keys: by('id'),
  oauth_codes: by('digest'),
  oauth_refresh_tokens: by('digest'),
  second_factors: by('id'),
  recovery_codes: by('user_id', 'digest'),
  identity_links: by('id'),
  sign_in_steps: by('digest'),
  login_tokens: by('id'),
  login_failures: by('id'),
  email_changes: by('id'),
  account_links: by('id'),
  hidden_activities: by('id'),
  new_account_mails: by('user_id'),
  mail_addresses: by('user_id'),
  mail_choices: by('user_id', 'relationship', 'event'),
  mail_forms: by('user_id'),
  request_settings: by('user_id'),
  mail_times: by('user_id'),
  watched_users: by('watcher_id', 'watched_id'),
  absences: by('id'),
  audit_log: by('id'),
  keywords: by('id'),
  classifications: by('id'),
  products: by('id'),
  versions: by('id'),
  milestones: by('id'),
  rotations: by('id'),
  rotation_members: by('rotation_id', 'user_id'),
  components: by('id'),
  triage_queues: by('id'),
  component_cc: by('component_id', 'user_id'),
  watches: by('id'),
  canned_replies: by('id'),
  group_controls: by('product_id', 'group_id'),
  flag_types: by('id'),
  flag_type_scopes: by('id'),
  fields: { ...by('id'), ownReferences: ['visibility_field_id', 'value_field_id'] },
  field_values: by('id'),
  field_visibility_values: by('field_id', 'value_id'),
  workflow_transitions: by('from_status_id', 'to_status_id'),
  series: by('id'),
  series_counts: by('series_id', 'on_day'),
  saved_searches: by('id'),
  dashboards: by('id'),
  dashboard_groups: by('dashboard_id', 'group_id'),
  scheduled_mails: by('id'),
  scheduled_mail_searches: by('id'),
  scheduled_mail_times: by('id'),
  chores: by('name'),
  bugs: { ...by('id'), ownReferences: ['dupe_of_id'] },
  triage_decisions: by('id'),
  triage_snoozes: by('queue_id', 'bug_id'),
  triage_claims: by('queue_id', 'bug_id'),
  bug_presences: by('bug_id', 'user_id'),
  code_sources: by('id'),
  code_source_products: by('source_id', 'product_id'),
  code_changes: by('id'),
  code_links: by('bug_id', 'change_id'),
  code_deliveries: by('id'),
  bug_groups: by('bug_id', 'group_id'),
  bug_keywords: by('bug_id', 'keyword_id'),
  bug_custom_values: by('id'),
  changes: by('id'),
  removals: by('id'),
  bug_changes: by('id'),
  flags: by('id'),
  deferred_requests: by('flag_id'),
  reminders: by('id'),
  bug_cc: by('bug_id', 'user_id'),
  bug_votes: by('bug_id', 'user_id'),
  bug_aliases: by('id'),
  bug_dependencies: by('blocked_id', 'depends_on_id'),
  bug_see_also: by('id'),
  comments: by('id'),
  comment_tags: by('comment_id', 'tag_key'),
  comment_versions: by('id'),
  comment_reactions: by('id'),
  comment_mentions: by('comment_id', 'nick'),
  attachments: by('id'),
  stored_contents: by('key'),
  attachment_texts: by('attachment_id'),
  proposals: by('id'),
  proposal_rows: by('id'),
  proposal_bugs: by('row_id', 'bug_id'),
  proposal_groups: by('proposal_id', 'group_id'),
  bug_tags: by('user_id', 'tag', 'bug_id'),
  last_visits: by('user_id', 'bug_id'),
  inbox_entries: by('user_id', 'bug_id'),
  ignored_bugs: by('user_id', 'bug_id'),
  idempotent_replies: by('user_id', 'idempotency_key'),
  incoming_messages: by('message_digest'),
  refused_messages: by('id'),
  // Its ids are positions on one engine only: see event-rows.ts.
  outbox: by('position'),
  consumers: { ...by('name'), blank: ['lease', 'leased_until'] },
  jobs: by('id'),
  lanes: { ...by('queue', 'lane'), blank: ['lease'] },
  mail_outages: by('id'),
  backups_seen: by('id'),
  slow_searches: by('id'),
  webhooks: by('id'),
  webhook_deliveries: by('id'),
  imports: by('id'),
  import_notes: by('id'),
  bug_words: { kind: 'derived', from: 'summaries and public comments' },
  private_words: { kind: 'derived', from: 'private comments' },
} as const satisfies Record<Table, ArchivedTable | DerivedTable>

function by(...key: string[]): ArchivedTable {
  return { kind: 'archived', key, ownReferences: [], blank: [] }
}

const LISTED: ReadonlyMap<string, ArchivedTable | DerivedTable> = new Map(Object.entries(ARCHIVE_TABLES))

/** The tables of an archive, in their order. */
export const ARCHIVED: readonly Table[] = [...LISTED].flatMap(([name, { kind }]) =>
  kind === 'archived' ? (name as Table) : [],
)

export function archivedTable(name: string): ArchivedTable | undefined {
  const found = LISTED.get(name)
  return found?.kind === 'archived' ? found : undefined
}
