import type { Database } from '../platform/database/tables.ts'
import { listLimit } from './list-limits.ts'
import type { OwnLimitName } from './own-limits.ts'

/** Who can make rows of a table, and what bounds their number: limits of an account, or a sentence. */
interface TableBound {
  by: string
  bound: readonly OwnLimitName[] | string
}

const administrators = (what: string): TableBound => ({ by: `members of ${what}`, bound: 'their right' })
const ofBugs = (bound: string): TableBound => ({ by: 'users who may change the bug', bound })
const follows = (by: string, bound: string): TableBound => ({ by, bound })
const owners = (...bound: OwnLimitName[]): TableBound => ({ by: 'every user, for the own account', bound })

/** Every table, so that nothing piles up unnoticed: a new one does not compile without its bound. */
export const TABLE_BOUNDS: Readonly<Record<keyof Database, TableBound>> = {
  users: follows('members of editusers; users who join', 'their right; `account_mails_per_network` a day'),
  groups: administrators('creategroups'),
  user_group_grants: follows('members of editusers, and those who bless', 'users and groups'),
  group_grants: administrators('creategroups'),
  api_keys: owners('apiKeys', 'revokedKeys'),
  login_tokens: owners('sessions'),
  login_failures: follows('anybody', 'half an hour; the passwords that the processor can check in it'),
  parameters: administrators('tweakparams'),
  audit_log: follows('administrative changes', 'the rights to make them; kept forever'),
  state_versions: follows('nobody', 'one row'),
  keywords: administrators('editkeywords'),
  classifications: administrators('editclassifications'),
  products: administrators('editcomponents'),
  versions: administrators('editcomponents'),
  milestones: administrators('editcomponents'),
  components: administrators('editcomponents'),
  component_cc: administrators('editcomponents'),
  group_controls: administrators('editcomponents'),
  flag_types: administrators('editcomponents'),
  flag_type_scopes: administrators('editcomponents'),
  fields: administrators('admin'),
  field_values: administrators('admin'),
  field_visibility_values: administrators('admin'),
  workflow_transitions: administrators('admin'),
  series: { by: 'members of editbugs; products have some of their own', bound: ['series'] },
  series_counts: follows('the server', 'one a day and series'),
  saved_searches: owners('savedSearches', 'savedCharacters'),
  dashboards: owners('dashboards'),
  dashboard_groups: follows('every user, for the own dashboards', '20 a dashboard'),
  chores: follows('the server', 'one a chore'),
  bugs: follows('users who may file', '`new_account_bugs` a day, rate limits'),
  bug_words: follows('the server', 'bugs and comments'),
  private_words: follows('the server', 'bugs and comments'),
  bug_groups: ofBugs('groups'),
  bug_keywords: ofBugs('keywords'),
  bug_custom_values: ofBugs('fields and their values'),
  bug_changes: ofBugs('rate limits; kept forever'),
  flags: ofBugs(`flag types. ${listLimit('flags')}`),
  bug_cc: ofBugs('users'),
  bug_aliases: ofBugs(listLimit('aliases')),
  bug_dependencies: ofBugs('bugs'),
  bug_see_also: ofBugs(listLimit('seeAlso')),
  comments: follows('users who see the bug', '`new_account_comments` a day, rate limits'),
  comment_tags: follows('members of `comment_taggers_group`', listLimit('commentTags')),
  attachments: follows('users who see the bug', '`new_account_attachments` a day, `maxattachmentsize`, rate limits'),
  stored_contents: follows('users who attach', 'attachments'),
  attachment_texts: follows('users who attach', 'attachments'),
  bug_tags: owners('personalTags'),
  last_visits: owners('lastVisits'),
  outbox: follows('changes of bugs', 'one a change; `keep_events_days`'),
  consumers: follows('the server', 'kinds of delivery'),
  jobs: follows('changes of bugs', 'recipients; until they are done'),
  lanes: follows('changes of bugs', 'recipients; until their jobs are done'),
  mail_outages: follows('the server', 'one row'),
  webhooks: owners('webhooks'),
  webhook_deliveries: follows('the server', 'events and webhooks; a few days'),
  mail_addresses: follows('every user', 'one a user'),
  email_changes: follows('every user', '5 a day'),
  account_links: follows(
    'anybody',
    '`account_mails_per_address` and `account_mails_per_network` a day; until they expire',
  ),
  hidden_activities: administrators('admin'),
  new_account_mails: follows('new accounts', 'one a day, for `new_account_days`'),
  second_factors: owners('secondFactors'),
  recovery_codes: follows('every user', 'one set a user'),
  identity_links: follows('every user', 'accounts at the providers that administrators set'),
  sign_in_steps: follows('anybody', 'ten minutes, `rate_limit_anonymous`'),
  incoming_messages: follows('users who write mail', 'a while; `new_account_comments` a day'),
  refused_messages: follows('everybody who writes mail', '200 rows; 90 days'),
  scheduled_mails: { by: 'members of bz_canusewhines', bound: ['scheduledMails'] },
  scheduled_mail_searches: { by: 'members of bz_canusewhines', bound: '20 a mail' },
  scheduled_mail_times: { by: 'members of bz_canusewhines', bound: '20 a mail' },
  mail_choices: follows('every user', 'roles and events'),
  mail_forms: follows('every user', 'one a user'),
  watched_users: owners('watchedUsers'),
  ignored_bugs: owners('ignoredBugs'),
  idempotent_replies: owners('idempotentCharacters'),
  installation_secrets: follows('the server', 'purposes'),
  imports: follows('commands', 'runs of them'),
  import_notes: follows('commands', 'until the report is written'),
}
