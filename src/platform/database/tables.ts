import type { Generated } from 'kysely'

/**
 * Every table, as on both engines. Booleans are 1 and 0, times are text (see clock.ts). A column that ends in `_key`
 * has the folded form of the name beside it (see fold.ts): look up and sort by the key, return the name.
 */
export interface Database {
  users: UsersTable
  user_nicks: UserNicksTable
  groups: GroupsTable
  user_group_grants: UserGroupGrantsTable
  group_grants: GroupGrantsTable
  api_keys: ApiKeysTable
  oauth_clients: OAuthClientsTable
  oauth_codes: OAuthCodesTable
  oauth_refresh_tokens: OAuthRefreshTokensTable
  login_tokens: LoginTokensTable
  login_failures: LoginFailuresTable
  parameters: ParametersTable
  audit_log: AuditLogTable
  state_versions: StateVersionsTable
  keywords: KeywordsTable
  classifications: ClassificationsTable
  products: ProductsTable
  versions: VersionsTable
  milestones: MilestonesTable
  components: ComponentsTable
  component_cc: ComponentCcTable
  canned_replies: CannedRepliesTable
  group_controls: GroupControlsTable
  flag_types: FlagTypesTable
  flag_type_scopes: FlagTypeScopesTable
  fields: FieldsTable
  field_values: FieldValuesTable
  field_visibility_values: FieldVisibilityValuesTable
  workflow_transitions: WorkflowTransitionsTable
  series: SeriesTable
  series_counts: SeriesCountsTable
  saved_searches: SavedSearchesTable
  dashboards: DashboardsTable
  dashboard_groups: DashboardGroupsTable
  absences: AbsencesTable
  rotations: RotationsTable
  rotation_members: RotationMembersTable
  triage_queues: TriageQueuesTable
  triage_decisions: TriageDecisionsTable
  triage_snoozes: TriageSnoozesTable
  triage_claims: TriageClaimsTable
  bug_presences: BugPresencesTable
  chores: ChoresTable
  bugs: BugsTable
  bug_words: WordsTable
  private_words: WordsTable
  bug_groups: BugGroupsTable
  bug_keywords: BugKeywordsTable
  bug_custom_values: BugCustomValuesTable
  changes: ChangesTable
  bug_changes: BugChangesTable
  flags: FlagsTable
  bug_cc: BugCcTable
  bug_votes: BugVotesTable
  code_sources: CodeSourcesTable
  code_source_products: CodeSourceProductsTable
  code_changes: CodeChangesTable
  code_links: CodeLinksTable
  code_deliveries: CodeDeliveriesTable
  proposals: ProposalsTable
  proposal_rows: ProposalRowsTable
  proposal_bugs: ProposalBugsTable
  proposal_groups: ProposalGroupsTable
  bug_aliases: BugAliasesTable
  bug_dependencies: BugDependenciesTable
  bug_see_also: BugSeeAlsoTable
  comments: CommentsTable
  comment_tags: CommentTagsTable
  comment_versions: CommentVersionsTable
  comment_reactions: CommentReactionsTable
  comment_mentions: CommentMentionsTable
  attachments: AttachmentsTable
  stored_contents: StoredContentsTable
  attachment_texts: AttachmentTextsTable
  bug_tags: BugTagsTable
  last_visits: LastVisitsTable
  inbox_entries: InboxEntriesTable
  outbox: OutboxTable
  consumers: ConsumersTable
  jobs: JobsTable
  lanes: LanesTable
  mail_outages: MailOutagesTable
  backups_seen: BackupsSeenTable
  slow_searches: SlowSearchesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  mail_addresses: MailAddressesTable
  email_changes: EmailChangesTable
  account_links: AccountLinksTable
  hidden_activities: HiddenActivitiesTable
  removals: RemovalsTable
  new_account_mails: NewAccountMailsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  identity_links: IdentityLinksTable
  sign_in_steps: SignInStepsTable
  incoming_messages: IncomingMessagesTable
  refused_messages: RefusedMessagesTable
  scheduled_mails: ScheduledMailsTable
  scheduled_mail_searches: ScheduledMailSearchesTable
  scheduled_mail_times: ScheduledMailTimesTable
  mail_choices: MailChoicesTable
  mail_forms: MailFormsTable
  request_settings: RequestSettingsTable
  reminders: RemindersTable
  deferred_requests: DeferredRequestsTable
  watched_users: WatchedUsersTable
  watches: WatchesTable
  mail_times: MailTimesTable
  ignored_bugs: IgnoredBugsTable
  idempotent_replies: IdempotentRepliesTable
  installation_secrets: InstallationSecretsTable
  imports: ImportsTable
  import_notes: ImportNotesTable
}

export type Flag = 0 | 1

interface UsersTable {
  id: Generated<number>
  login: string
  login_key: string
  real_name: string
  real_name_key: string
  password_hash: string | null
  disabled_text: string
  email_enabled: Flag
  created_at: string
  last_seen_on: string | null
  /** When the user created the account; null if an administrator did. */
  joined_at: string | null
  /** Whether the user has a confirmed second factor, so that a password alone is not enough. */
  has_factor: Generated<Flag>
  /** Null stands for the neutral nick, user-17. */
  nick: string | null
  /** Whether others do not see which bugs the user has open. */
  hides_presence: Generated<Flag>
}

/** The nicks of accounts, also those that they had before: each account has all nicks that look alike. */
interface UserNicksTable {
  skeleton: string
  nick: string
  user_id: number
  /** Null if it was suggested from the name. */
  chosen_at: string | null
}

interface GroupsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  is_bug_group: Flag
  user_regexp: string
  is_active: Flag
  icon_url: string | null
  is_system: Flag
}

interface UserGroupGrantsTable {
  user_id: number
  group_id: number
  /** `member` or `bless`: is in the group, or may decide who is. */
  right: 'member' | 'bless'
  /** `direct` was granted by a user, `regexp` follows from the group's user_regexp. */
  source: 'direct' | 'regexp' | 'provider'
}

interface GroupGrantsTable {
  /** Members of this group … */
  member_group_id: number
  /** … are members of, may bless, or may see this one. */
  group_id: number
  right: 'member' | 'bless' | 'see'
}

interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  digest: string
  description: string
  scopes: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** The key that created this one, which ends with it. */
  made_with_key_id: number | null
  /** The secret mail address of the owner was returned to this key. */
  knows_mail_address: Generated<Flag>
  /** The program that asked for it with OAuth; null for keys that people make, and when the client was removed. */
  client_id: Generated<number | null>
  /** What an access token of OAuth is for, as in people/oauth/resources.ts; null for keys that people make. */
  resource: Generated<string | null>
  /** When an access token of OAuth can be renewed no more. Until then the key has new secrets and ends again and again. */
  grant_ends_at: Generated<string | null>
}

/** A program that may ask users for access with OAuth. */
interface OAuthClientsTable {
  id: Generated<number>
  /** Its name in OAuth: `client_id`. */
  client_key: string
  name: string
  /** JSON list. */
  redirect_uris: string
  auth_method: string
  /** Null for a public client, which has no secret. */
  secret_digest: string | null
  /** That registered it; empty if an administrator did. */
  network: string
  is_registered_by_hand: Flag
  created_at: string
  /** When a user last gave it access, or it last renewed that. */
  used_at: string | null
}

/** A code that a client exchanges, once, for access. */
interface OAuthCodesTable {
  digest: string
  client_id: number
  user_id: number
  redirect_uri: string
  challenge: string
  resource: string
  scopes: string
  expires_at: string
  used_at: string | null
  /** When it was sent again: then nothing is given for it. */
  reused_at: string | null
  /** The key that was made for it. */
  key_id: number | null
}

/** Used ones are kept for a while, because using one again ends the grant. */
interface OAuthRefreshTokensTable {
  digest: string
  key_id: number
  scopes: string
  created_at: string
  expires_at: string
  used_at: string | null
}

interface LoginTokensTable {
  id: Generated<number>
  user_id: number
  digest: string
  /** The only address it may be used from, or null for any. */
  address: string | null
  created_at: string
  last_used_at: string
  /** The program that signed in, in a few words. */
  device: string
  /** The address of the last request; null for sessions of older releases. */
  last_address: string | null
  /** When the password was last checked. */
  proven_at: string
  /** The session can only be used to add a second factor. */
  must_add_factor: Generated<Flag>
  /** The provider that opened the session, and its names for the user and the session. */
  provider: string | null
  provider_subject: string | null
  provider_session: string | null
}

interface LoginFailuresTable {
  id: Generated<number>
  login_key: string
  address: string
  at: string
}

interface ParametersTable {
  name: string
  value: string
}

interface AuditLogTable {
  id: Generated<number>
  user_id: number | null
  class: string
  object_id: number
  field: string
  removed: string | null
  added: string | null
  at: string
  /** The call that wrote it; null if it is older than `changes`. */
  change_id: Generated<number | null>
}

/** One row of counters. Each is increased in the transaction that changes what it stands for, so that caches notice. */
interface StateVersionsTable {
  id: number
  parameters: number
  groups: number
  catalogue: number
  oldest_writer: string
}

interface KeywordsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
}

interface ClassificationsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  sort_key: number
}

interface ProductsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  classification_id: number
  is_active: Flag
  has_unconfirmed: Flag
  /** Null only while the product is being created. */
  default_milestone_id: number | null
  default_version_id: number | null
  /** What the description of a new bug begins with. */
  bug_template: string
  /** How many votes a user has for all bugs of the product; 0 if there is no voting. */
  votesperuser: Generated<number>
  /** How many of them the user can give to one bug. */
  maxvotesperbug: Generated<number>
  /** With so many votes a bug is confirmed; 0 for never. */
  votestoconfirm: Generated<number>
}

interface VersionsTable {
  id: Generated<number>
  product_id: number
  name: string
  name_key: string
  /** Sorts 1.9 before 1.10. */
  natural_key: string
  sort_key: number
  is_active: Flag
}

interface MilestonesTable {
  id: Generated<number>
  product_id: number
  name: string
  name_key: string
  sort_key: number
  is_active: Flag
}

interface ComponentsTable {
  id: Generated<number>
  product_id: number
  name: string
  name_key: string
  description: string
  default_assignee_id: number
  default_qa_contact_id: number | null
  is_active: Flag
  /** Who triages its bugs: a user, or the one whose turn it is in a rotation, or neither. */
  triage_owner_id: number | null
  rotation_id: number | null
}

interface ComponentCcTable {
  component_id: number
  user_id: number
}

/** Of one product or of all, for everybody or for members of one group. */
interface CannedRepliesTable {
  id: Generated<number>
  product_id: number | null
  group_id: number | null
  name: string
  name_key: string
  text: string
  is_private: Flag
}

/** How a product uses a group. The two controls are 0 NA, 1 Shown, 2 Default, 3 Mandatory. */
interface GroupControlsTable {
  product_id: number
  group_id: number
  entry: Flag
  member_control: number
  other_control: number
  canedit: Flag
  editcomponents: Flag
  editbugs: Flag
  canconfirm: Flag
}

interface FlagTypesTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  target: 'bug' | 'attachment'
  sort_key: number
  is_active: Flag
  is_requestable: Flag
  is_requesteeble: Flag
  is_multiplicable: Flag
  is_question: Generated<Flag>
  cc_list: string
  grant_group_id: number | null
  request_group_id: number | null
}

/** Where a flag type applies: a product and component, or null for any. */
interface FlagTypeScopesTable {
  id: Generated<number>
  flag_type_id: number
  kind: 'inclusion' | 'exclusion'
  product_id: number | null
  component_id: number | null
}

/** Standard and custom fields, by Bugzilla's internal names, as the fields call returns them. */
interface FieldsTable {
  id: Generated<number>
  name: string
  display_name: string
  description: string
  type: number
  is_custom: Flag
  is_mandatory: Flag
  is_on_bug_entry: Flag
  is_obsolete: Flag
  is_in_new_mail: Flag
  sort_key: number
  /** The field that controls whether this one is shown. */
  visibility_field_id: number | null
  /** The field that controls which values of this one are shown. */
  value_field_id: number | null
  /** The name of the relation on the other bug, for the type bug id. */
  reverse_name: string
}

/** Legal values of drop-down and multiple-choice fields, standard (statuses, priorities …) and custom. */
interface FieldValuesTable {
  id: Generated<number>
  field_id: number
  name: string
  name_key: string
  sort_key: number
  is_active: Flag
  /** For statuses only. */
  is_open: Flag | null
  /** The value of the controlling field (fields.value_field_id) with which this one is shown: an id of that field's own table. */
  visibility_value_id: number | null
}

/** The values of the controlling field (fields.visibility_field_id) with which a field is shown: ids of that field's own table. */
interface FieldVisibilityValuesTable {
  field_id: number
  value_id: number
}

interface WorkflowTransitionsTable {
  /** Null for a new bug. */
  from_status_id: number | null
  to_status_id: number
  comment_required: Flag
}

interface SeriesTable {
  id: Generated<number>
  product_id: number | null
  component_id: number | null
  creator_id: number | null
  category: string
  subcategory: string
  name: string
  query: string
  /** The interval, in days. */
  frequency: number
  /** A public series counts the bugs that all its readers may see. Any other counts what its creator sees, and only the creator reads it. */
  is_public: Flag
  created_at: string
}

/** What a series counted on a day, which is a date. */
interface SeriesCountsTable {
  series_id: number
  on_day: string
  bug_count: number
}

/** Saved searches and reports, as the text of their parameters. */
interface SavedSearchesTable {
  id: Generated<number>
  user_id: number
  kind: 'search' | 'report'
  name: string
  name_key: string
  query: string
  /** Members of this group may use it too. */
  group_id: number | null
  /** The owner's order, then by name. */
  sort_key: Generated<number>
}

interface DashboardsTable {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  /** A JSON list of objects; see people/dashboards/dashboard.ts. */
  tiles: string
  /** Grows with every change. */
  version: number
}

/** The groups whose members may read a dashboard. */
interface DashboardGroupsTable {
  dashboard_id: number
  group_id: number
}

/** People who take turns; see catalogue/rotations/rotation.ts. */
interface RotationsTable {
  id: Generated<number>
  name: string
  name_key: string
  period: string
  starts_at: string
  time_zone: string
}

interface RotationMembersTable {
  rotation_id: number
  position: number
  user_id: number
}

/** The bugs that a search finds, which the members of a group triage. */
interface TriageQueuesTable {
  id: Generated<number>
  name: string
  name_key: string
  query: string
  group_id: number
  rotation_id: number | null
  /** A bug should not wait longer. */
  aim_days: number | null
}

interface TriageDecisionsTable {
  id: Generated<number>
  queue_id: number
  bug_id: number
  user_id: number
  kind: string
  at: string
  /** Seconds for which the bug waited. */
  waited: number
  /** Until when it is snoozed. */
  until: string | null
}

/** Bugs that come back to a queue at a time. */
interface TriageSnoozesTable {
  queue_id: number
  bug_id: number
  user_id: number
  until: string
}

/** Who has a bug of a queue open now. */
interface TriageClaimsTable {
  queue_id: number
  bug_id: number
  user_id: number
  expires_at: string
}

/** Who has a bug open now, until shortly after the last sign of life. */
interface BugPresencesTable {
  bug_id: number
  user_id: number
  /** The session of the page: the row ends with it. Null with other credentials. */
  session_id: number | null
  is_writing: Flag
  since: string
  written_at: string
  expires_at: string
}

/** When a user is away: from the first time, until before the second. */
interface AbsencesTable {
  id: Generated<number>
  user_id: number
  starts_at: string
  ends_at: string
  note: string
}

interface BackupsSeenTable {
  id: Generated<number>
  at: string
  bytes: number | null
  source: string
}

interface SlowSearchesTable {
  id: Generated<number>
  at: string
  user_id: number | null
  path: string
  query: string
  milliseconds: number
}

/** Work that is done once a day, by the first server that gets to it. */
interface ChoresTable {
  name: string
  on_day: string
  begun_at: string
  is_done: Flag
}

interface BugsTable {
  id: Generated<number>
  product_id: number
  component_id: number
  version_id: number
  milestone_id: number
  status_id: number
  resolution_id: number
  priority_id: number
  severity_id: number
  type_id: number
  op_sys_id: number
  platform_id: number
  creator_id: number
  assigned_to_id: number
  qa_contact_id: number | null
  summary: string
  url: string
  whiteboard: string
  summary_key: Generated<string>
  whiteboard_key: Generated<string>
  created_at: string
  changed_at: string
  is_confirmed: Flag
  is_cc_accessible: Flag
  is_creator_accessible: Flag
  /** Whether only users with editbugs may comment. */
  restrict_comments: Generated<Flag>
  dupe_of_id: number | null
  deadline: string | null
  estimated_hundredths: number
  remaining_hundredths: number
  /** The sum of the work time in comments. */
  actual_hundredths: Generated<number>
  /** The sum of the votes in `bug_votes`. */
  votes: Generated<number>
  /** Which lists may have rows; see bug-lists.ts. */
  lists: Generated<number>
  /** Counts the changes, so that two within one second can be distinguished. */
  revision: Generated<number>
}

/** A column of the table `bugs`. */
export type BugColumn = keyof BugsTable

/** The columns of bugs with an index of the parts of their texts. Each has a case-folded copy. */
export type IndexedColumn = keyof BugsTable extends infer Column
  ? Column extends `${infer Name}_key`
    ? Name
    : never
  : never

/** The word index of bugs; see 0005-search.ts. */
interface WordsTable {
  place: number
  words: string
  replaces: Flag
}

interface BugGroupsTable {
  bug_id: number
  group_id: number
}

interface BugKeywordsTable {
  bug_id: number
  keyword_id: number
}

/** One row per value: text fields in text_value, chosen values (field_values.id), bug ids and integers in number_value. */
interface BugCustomValuesTable {
  id: Generated<number>
  bug_id: number
  field_id: number
  text_value: string | null
  number_value: number | null
}

/** The history of bugs, by the field names of the REST API. */
/** One call that changed something. */
interface ChangesTable {
  id: Generated<number>
  user_id: number | null
  at: string
  /** By what it was made; see shared/change-sources.ts. */
  source: number
  /** Which one, if there are several of its kind: the id of the API key, or of the proposal. */
  source_id: number | null
  /** The change that this one has undone. */
  undoes_id: number | null
}

/** What an API key with the scope propose has proposed: a change of one bug, or a new bug. */
interface ProposalsTable {
  id: Generated<number>
  user_id: number
  /** No reference: revoked keys are removed after a while. */
  key_id: number
  /** The first proposal of the same call, if it made several. */
  batch_id: number | null
  kind: 'bug' | 'change' | 'comment' | 'attachment' | 'attachment_change'
  /** Null for a new bug. */
  bug_id: number | null
  /** The changed one. */
  attachment_id: number | null
  /** The product of the bug when it was proposed, or of the new bug. */
  product_id: number
  component_id: number | null
  reason: string
  at: string
  expires_at: string
  state: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired' | 'outdated' | 'ended' | 'hidden'
  /** When and by whom it got a state other than open. */
  state_at: string | null
  state_by_id: number | null
  /** Why it was declined. */
  note: string
}

/** A part of a proposal that is decided by itself. */
interface ProposalRowsTable {
  id: Generated<number>
  proposal_id: number
  name: string
  /** The parameters of the call, as JSON. Removed when the proposal is closed. */
  params: string
  /** What they would do, as JSON. */
  lines: string
  reason: string
  is_for_insiders: Flag
  is_for_time_trackers: Flag
  state: 'open' | 'accepted' | 'declined'
  decided_at: string | null
  decided_by_id: number | null
  /** The change that was made when it was accepted. */
  change_id: number | null
}

/** The other bugs that a row names: a reader must see them. */
interface ProposalBugsTable {
  row_id: number
  bug_id: number
}

/** The groups of a new bug. They may have been deleted since, which still hides it. */
interface ProposalGroupsTable {
  proposal_id: number
  group_id: number
}

interface BugChangesTable {
  id: Generated<number>
  bug_id: number
  user_id: number
  at: string
  field: string
  removed: string
  added: string
  attachment_id: number | null
  comment_id: number | null
  /** The call that wrote it; 0 if it was imported, null if it is older than `changes`. */
  change_id: Generated<number | null>
}

interface FlagsTable {
  id: Generated<number>
  type_id: number
  bug_id: number
  attachment_id: number | null
  status: '?' | '+' | '-'
  setter_id: number
  requestee_id: number | null
  created_at: string
  modified_at: string
}

interface BugCcTable {
  bug_id: number
  user_id: number
}

interface BugVotesTable {
  bug_id: number
  user_id: number
  votes: number
}

/** A forge or review tool that sends webhooks. Lists are JSON; the secret and the token are sealed. */
interface CodeSourcesTable {
  id: Generated<number>
  name: string
  name_key: string
  kind: string
  secret: string
  /** For the API of the source; empty if there is none. */
  token: string
  api_address: string
  /** The account whose rights it has. */
  user_id: number
  is_active: Flag
  repositories: string
  networks: string
  link_words: string
  resolve_words: string
  resolves: string
  resolve_status: string
  resolve_resolution: string
  comments: string
  attaches: Flag
  links_back: Flag
  /** Titles and authors are not stored. */
  is_private: Flag
}

/** The products that a source may touch; all if it has none. */
interface CodeSourceProductsTable {
  source_id: number
  product_id: number
}

/** A change under review or a commit, as its source last reported it. */
interface CodeChangesTable {
  id: Generated<number>
  source_id: number
  /** The same for the same change, unique in its source. */
  change_key: string
  kind: string
  repository: string
  number: string
  address: string
  title: string
  author: string
  state: string
  checks: string
  /** The commit that the checks are about. */
  head: string
  /** JSON: the reviews, checks and labels that the state follows from. */
  details: string
  created_at: string
  changed_at: string
}

interface CodeLinksTable {
  bug_id: number
  change_id: number
  named_in: string
  /** Whether a merge of the change resolves the bug. */
  resolves: Flag
  at: string
}

/** What arrived from a source, by the digest of its body, so that it is taken once. */
interface CodeDeliveriesTable {
  id: Generated<number>
  source_id: number
  digest: string
  delivery: string
  event: string
  at: string
  outcome: string
  note: string
}

interface BugAliasesTable {
  id: Generated<number>
  bug_id: number
  alias: string
  alias_key: string
}

/** The blocked bug depends on the other one. */
interface BugDependenciesTable {
  blocked_id: number
  depends_on_id: number
}

interface BugSeeAlsoTable {
  id: Generated<number>
  bug_id: number
  url: string
  url_key: string
  /** The bug that the URL refers to, if it is one of ours. */
  local_bug_id: number | null
}

interface CommentsTable {
  id: Generated<number>
  bug_id: number
  /** The number of the comment within its bug; the description is 0. */
  number: number
  user_id: number
  at: string
  /** What the user wrote; text of the tracker is added when it is read. */
  text: string
  is_private: Flag
  /** See bugs/comments/comment.ts. */
  kind: number
  /** The other bug or the attachment that some kinds of comments refer to. */
  about_id: number | null
  work_hundredths: number
  is_markdown: Generated<Flag>
  edit_count: Generated<number>
  /** When it was edited last. */
  edited_at: Generated<string | null>
  /** The call that wrote it; 0 if it was imported, null if it is older than `changes`. */
  change_id: Generated<number | null>
  has_reactions: Generated<Flag>
  has_mentions: Generated<Flag>
  /** Whether it says what was decided. */
  is_answer: Generated<Flag>
}

/** What a comment said before it was edited. */
interface CommentVersionsTable {
  id: Generated<number>
  comment_id: number
  text: string
  is_markdown: Flag
  /** Who replaced it, and when. */
  user_id: number
  at: string
  is_hidden: Generated<Flag>
}

interface CommentReactionsTable {
  id: Generated<number>
  comment_id: number
  name: string
  user_id: number
}

/** Whom a comment mentioned when it was written or edited, by the nick in its text. */
interface CommentMentionsTable {
  comment_id: number
  nick: string
  user_id: number
  author_id: number
  at: string
  /** An edit took it out of the text. */
  is_removed: Generated<Flag>
}

interface CommentTagsTable {
  comment_id: number
  tag: string
  tag_key: string
}

interface AttachmentsTable {
  id: Generated<number>
  bug_id: number
  user_id: number
  created_at: string
  changed_at: string
  file_name: string
  summary: string
  content_type: string
  is_private: Flag
  is_obsolete: Flag
  is_patch: Flag
  size: number
  /** The key under which the content is stored; see changes/stored-contents.ts. */
  content_digest: string
}

/** What the content store has or had. */
interface StoredContentsTable {
  /** The digest, followed by a number if that key was freed before. */
  key: string
  /** SHA-256, in hexadecimal digits. */
  digest: string
  stored_at: string
  /** Since when no attachment has it. It is never used again. */
  freed_at: string | null
}

/** The text of text attachments. */
interface AttachmentTextsTable {
  attachment_id: number
  text: string
}

/** Personal tags. */
interface BugTagsTable {
  user_id: number
  bug_id: number
  tag: string
}

interface LastVisitsTable {
  user_id: number
  bug_id: number
  at: string
}

/** What waits for users: that something about a bug reaches them, and what they did with it. */
interface InboxEntriesTable {
  user_id: number
  bug_id: number
  /** One bit for each reason, by its number in shared/reasons.ts; those before it was last put away. */
  reasons: Generated<number>
  past_reasons: Generated<number>
  /** The id of the comment that mentions the user. */
  mention_comment: number | null
  /** From when on changes count, and the time of the last event that reached the user. */
  since: string
  noted_at: string
  /** 0 open, 1 done, 2 snoozed; and when its owner last did something with it. */
  state: Generated<number>
  state_at: Generated<string>
  /** Null if a snoozed entry comes back when the bug changes. */
  snoozed_until: string | null
  /** The number of the last comment and the id of the last change that were put away. */
  done_comment: Generated<number>
  done_change: Generated<number>
  /** How many times events were noted, and how many of these were put away. */
  notes: Generated<number>
  done_notes: Generated<number>
  /** The same for what was read; -2 if the owner made it unread again. */
  read_comment: Generated<number>
  read_change: Generated<number>
  read_at: Generated<string>
  /** The last deed of the owner, and the state before it as JSON text. */
  undo_key: Generated<string>
  undo_state: Generated<string>
}

/** Events, for later delivery. */
interface OutboxTable {
  id: Generated<number>
  /**
   * Its position in the order of events, assigned after its commit. Not used on SQLite, where ids follow commits. See
   * outbound.
   */
  position: number | null
  kind: string
  bug_id: number
  user_id: number
  at: string
  /** JSON. */
  facts: string
  /** The users with a role in the bug right after the event. Null in events of older releases. */
  assigned_to_id: number | null
  qa_contact_id: number | null
  creator_id: number | null
  /** As JSON text. */
  cc_ids: string | null
}

/** The position of each consumer in the feed. */
interface ConsumersTable {
  name: string
  position: number
  /** A new random value for each server that takes over, so that no two servers work at the same time. */
  lease: string
  leased_until: string
  /** How many events it has left out, because it could not handle them. */
  set_aside: Generated<number>
}

/** Deliveries to the outside, until they are done. */
interface JobsTable {
  id: Generated<number>
  queue: string
  lane: string
  /** JSON. */
  payload: string
  created_at: string
  attempts: number
  last_fault: string | null
  /** When it was given up. It is kept for an administrator to see and to replay. */
  died_at: string | null
}

/** A lane with waiting jobs, which are done one after another. */
interface LanesTable {
  queue: string
  lane: string
  /** When its first job may be tried. A server that tries it moves this on, so that a crash gives it back. */
  due_at: string
  /** Failed attempts since the last success. */
  failures: number
  lease: string
}

/** One row while no mail can be sent. */
interface MailOutagesTable {
  id: 1
  since: string
  /** The last failed attempt, and why it failed. */
  last_at: string
  error: string
}

/** Mail preferences that differ from the default; the numbers are those of outbound/mail/preferences. */
interface MailChoicesTable {
  user_id: number
  relationship: number
  event: number
  is_wanted: Flag
}

/** Formats of mail that differ from the default. */
interface MailFormsTable {
  user_id: number
  is_html: Flag
  has_new_prefix: Flag
}

/** Choices about requests that differ from the default. */
interface RequestSettingsTable {
  user_id: number
  /** Whether questions to the user are refused. */
  blocks_questions: Flag
  /** Whether the user is reminded of overdue requests. */
  is_reminded: Flag
}

/** What users want to be reminded of on a day. */
interface RemindersTable {
  id: Generated<number>
  user_id: number
  bug_id: number
  note: string
  /** A day in UTC. */
  remind_on: string
  created_at: string
  sent_at: string | null
}

/** Requests whose requestees are not reminded of them for some days, as long as the flag stays as it was. */
interface DeferredRequestsTable {
  flag_id: number
  user_id: number
  flag_changed_at: string
  deferred_until: string
}

/** The watcher gets the mail of the watched user. */
interface WatchedUsersTable {
  watcher_id: number
  watched_id: number
}

/** When mail about bugs is sent; times are minutes after midnight in the zone. */
interface MailTimesTable {
  user_id: number
  zone: string
  digest_at: number | null
  quiet_from: number | null
  quiet_to: number | null
  are_weekends_quiet: Flag
  unseen_minutes: number
}

/** What a user watches: a product with all its components, one component, or a keyword. The other two are null. */
interface WatchesTable {
  id: Generated<number>
  user_id: number
  product_id: number | null
  component_id: number | null
  keyword_id: number | null
}

/** Bugs about which the user gets no mail. */
interface IgnoredBugsTable {
  user_id: number
  bug_id: number
}

/** Webhooks. */
interface WebhooksTable {
  id: Generated<number>
  user_id: number
  url: string
  /**
   * In the format of Standard Webhooks. Signing needs the plain secret, so it is stored as it is, and returned once.
   */
  secret: string
  /** The previous secret, which also signs for a while. */
  old_secret: string | null
  old_secret_until: string | null
  /** Kinds of events, separated by commas. */
  events: string
  /** Only bugs in these. The id of a deleted product stays, so that the webhook does not then match all others. */
  product_id: number | null
  component_id: number | null
  is_active: Flag
  created_at: string
  /** The webhook expires with the API key that created it. */
  expires_at: string | null
  /** The key that created or changed it. It is deleted when the key is revoked. */
  key_id: number | null
  /** Failed attempts since the last delivery. */
  failures: Generated<number>
  failing_since: string | null
  last_fault: string | null
}

/** Every attempt to deliver an event to a webhook. */
interface WebhookDeliveriesTable {
  id: Generated<number>
  webhook_id: number
  event_position: number
  kind: string
  bug_id: number
  attempt: number
  at: string
  milliseconds: number
  status: number | null
  fault: string | null
  outcome: 'delivered' | 'failed' | 'given_up' | 'dropped'
}

/** Requested addresses. Only the newest of a user is open, until it is confirmed or the account changes. */
interface EmailChangesTable {
  id: Generated<number>
  user_id: number
  login: string
  asked_at: string
  is_open: Flag
}

/** What was hidden of a user; see bugs/misuse. */
/** How many messages the changes of a new account have caused on a day. */
interface NewAccountMailsTable {
  user_id: number
  on_day: string
  message_count: number
}

interface HiddenActivitiesTable {
  id: Generated<number>
  user_id: number
  at: string
  /** JSON. */
  content: string
  restored_at: string | null
  /** The administrators; null where it is not known any more. */
  hidden_by_id: number | null
  restored_by_id: number | null
}

/** A removal in steps of something that many bugs have. */
interface RemovalsTable {
  id: Generated<number>
  /** Of the object, as in the audit log. */
  class: string
  object_id: number
  name: string
  /** What bugs get instead. */
  replacement_id: number | null
  replacement_name: string | null
  user_id: number
  /** All steps belong to this change. */
  change_id: number
  begun_at: string
  ended_at: string | null
  /** How many bugs had it when it began, and how many are done. */
  bugs: number
  bugs_done: number
  state: string
  /** Why it failed. */
  reason: string | null
}

/** Links in mail, of which only the digest is stored. It is null until the mail is written. */
interface AccountLinksTable {
  id: Generated<number>
  kind: 'join' | 'invite' | 'password'
  login: string
  recipient_key: string
  network: string
  user_id: number | null
  digest: string | null
  asked_at: string
  expires_at: string
  used_at: string | null
}

/** A second factor is used only after it is confirmed. */
interface SecondFactorsTable {
  id: Generated<number>
  user_id: number
  kind: 'totp' | 'passkey'
  name: string
  is_confirmed: Flag
  /** Encrypted for totp, see platform/secrets/seal.ts; the public key of a passkey. */
  secret: string
  /** Only of passkeys. */
  credential_id: string | null
  /** The step of the last code of totp; the signature counter of a passkey. */
  counter: Generated<number>
  transports: Generated<string>
  /** The host that a passkey was made for: it works at no other. Empty for totp. */
  rp_id: Generated<string>
  /** Whether the passkey can be on several devices, and whether it is stored outside of the device now. */
  is_multi_device: Generated<Flag>
  is_backed_up: Generated<Flag>
  created_at: string
  last_used_at: string | null
}

/** Codes that work once in place of a second factor. They are deleted when they are used. */
interface RecoveryCodesTable {
  user_id: number
  digest: string
}

/** Which user is meant by a subject of a provider. Addresses at the provider may change, subjects do not. */
interface IdentityLinksTable {
  id: Generated<number>
  user_id: number
  issuer: string
  subject: string
  created_at: string
  last_used_at: string
}

/** A login that is under way, with what the next request must match. */
interface SignInStepsTable {
  digest: string
  kind: 'provider' | 'passkey_add' | 'passkey_login' | 'passkey_proof'
  user_id: number | null
  content: string
  expires_at: string
}

/** How often the user's address for incoming mail was renewed; see outbound/incoming/mail-address.ts. */
interface MailAddressesTable {
  user_id: number
  generation: number
  /** It was ended, and its user has not asked for another. */
  is_off: Generated<Flag>
}

/** Accepted messages, so that none is accepted twice. */
interface IncomingMessagesTable {
  message_digest: string
  user_id: number
  bug_id: number
  at: string
}

/** Incoming messages that were refused lately. The user is null unless the message was sent to their own address. */
interface RefusedMessagesTable {
  id: Generated<number>
  user_id: number | null
  reason: string
  at: string
}

/** Saved searches that are mailed on a schedule. */
interface ScheduledMailsTable {
  id: Generated<number>
  user_id: number
  subject: string
  body: string
  /** Whether it is sent if no search finds a bug. */
  is_sent_empty: Flag
  /** The key that created or changed it. It is deleted when the key is revoked. */
  key_id: number | null
}

interface ScheduledMailSearchesTable {
  id: Generated<number>
  mail_id: number
  search_id: number
  title: string
  is_mail_per_bug: Flag
}

interface ScheduledMailTimesTable {
  id: Generated<number>
  mail_id: number
  /** See outbound/scheduled/schedule.ts. */
  day: string
  time: string
  /** One of the two. */
  to_user_id: number | null
  to_group_id: number | null
  next_at: string
}

interface IdempotentRepliesTable {
  user_id: number
  idempotency_key: string
  request_digest: string
  status: number
  body: string
  at: string
}

interface InstallationSecretsTable {
  name: string
  value: string
}

/** Imports from another tracker. While one is not finished, no server starts. */
interface ImportsTable {
  id: Generated<number>
  kind: string
  source: string
  begun_at: string
  finished_at: string | null
  /** How far it is, as JSON, written with each part. */
  state: string
}

/** What an import could not take over as it was. Deleted when its report is written. */
interface ImportNotesTable {
  id: Generated<number>
  import_id: number
  source_table: string
  source_key: string
  note: string
  /** The row itself as JSON, if it was left out. */
  source_row: string | null
}
