import type { SettingName } from './settings.ts'

/** The parameters as administrators find them: by group, each with a short title. */
const SETTING_GROUPS = {
  General: {
    maintainer: 'Maintainer',
    urlbase: 'Address of the tracker',
    announcehtml: 'Notice for everybody',
    cookiepath: 'Path of cookies',
    inbound_proxies: 'Trusted proxies',
    last_visit_keep_days: 'Keep visits to bugs',
    keep_events_days: 'Keep events of the feed',
  },
  'Log in': {
    requirelogin: 'Log in to see anything',
    createemailregexp: 'Who may join',
    emailregexp: 'Form of login names',
    emailregexpdesc: 'Form of login names, in words',
    emailsuffix: 'Suffix of mail addresses',
    webservice_email_filter: 'Hide addresses from anonymous readers',
    allowemailchange: 'Users change their address',
    allowuserdeletion: 'Users close their account',
    password_length: 'Shortest password',
    password_complexity: 'What a password contains',
    factor_group: 'Second factor',
    sign_in_providers: 'Providers to log in with',
    session_idle_days: 'Stay logged in without use',
    session_days: 'Longest session',
    confirm_password_minutes: 'Ask for the password again',
    account_link_hours: 'Links for new passwords',
    invitation_days: 'Invitations',
    rememberlogin: 'Remember logins',
    maxusermatches: 'Users that a search finds',
    usemenuforusers: 'Users in a menu',
  },
  Mail: {
    mailfrom: 'Sender',
    incoming_address: 'Address for mail to the tracker',
    globalwatchers: 'Who gets all mail',
    whinedays: 'Reminders of unchanged bugs',
    keep_mail_days: 'Keep mail that is written to files',
  },
  Search: {
    default_search_limit: 'Bugs on a page of results',
    max_search_results: 'Bugs that a search returns',
    search_allow_no_criteria: 'Search without criteria',
  },
  Attachments: {
    maxattachmentsize: 'Largest attachment, in KiB',
    maxlocalattachment: 'Largest attachment, in MiB',
    allow_attachment_display: 'Show attachments in the browser',
    allow_attachment_deletion: 'Delete attachments',
    attachment_base: 'Address of attachments',
    attachment_store: 'Where attachments are stored',
    s3_endpoint: 'Store: address',
    s3_region: 'Store: region',
    s3_bucket: 'Store: bucket',
    s3_access_key: 'Store: id of the key',
    s3_secret_key: 'Store: secret key',
  },
  Bugs: {
    allowbugdeletion: 'Delete bugs',
    commentonchange_resolution: 'Comment for a new resolution',
    commentonduplicate: 'Comment for a duplicate',
    noresolveonopenblockers: 'Open dependencies forbid FIXED',
    musthavemilestoneonaccept: 'Milestone before work starts',
    duplicate_or_move_bug_status: 'Status of duplicates',
    collapsed_comment_tags: 'Tags that fold comments',
    use_markdown: 'Markdown in comments',
    default_bug_type: 'Type of a new bug',
    defaultopsys: 'Operating system of a new bug',
    defaultplatform: 'Platform of a new bug',
    defaultpriority: 'Priority of a new bug',
    defaultseverity: 'Severity of a new bug',
    letsubmitterchoosemilestone: 'Reporters choose the milestone',
    letsubmitterchoosepriority: 'Reporters choose the priority',
    use_see_also: 'See Also',
    useclassification: 'Classifications',
    useqacontact: 'QA contact',
    usestatuswhiteboard: 'Whiteboard',
    usetargetmilestone: 'Target milestone',
  },
  Groups: {
    insidergroup: 'Who sees private comments',
    timetrackinggroup: 'Who tracks time',
    querysharegroup: 'Who shares searches',
    comment_taggers_group: 'Who tags comments',
    chartgroup: 'Who sees charts',
    debug_group: 'Who sees the SQL of searches',
    makeproductgroups: 'A group for each new product',
    or_groups: 'One group is enough',
    strict_isolation: 'Roles only for those who see the bug',
    usevisibilitygroups: 'Users see only some groups',
  },
  Webhooks: {
    webhookgroup: 'Who may have webhooks',
    webhook_networks: 'Networks that webhooks may reach',
  },
  Misuse: {
    rate_limit_anonymous: 'Requests without login',
    rate_limit_anonymous_searches: 'Searches without login',
    rate_limit_signed_in: 'Requests of an account',
    feed_listeners: 'Listeners to the feed',
    account_mails_per_address: 'Links for one address',
    account_mails_per_network: 'Links for one network',
    new_account_days: 'How long an account is new',
    new_account_bugs: 'New accounts: bugs',
    new_account_comments: 'New accounts: comments',
    new_account_attachments: 'New accounts: attachments',
    new_account_mails: 'New accounts: mail',
    new_account_denied: 'New accounts: what they cannot write',
  },
} as const satisfies Record<string, Partial<Record<SettingName, string>>>

export interface SettingPlace {
  name: SettingName
  group: string
  title: string
}

/** All parameters in the order of their groups. */
export const settingPlaces: readonly SettingPlace[] = Object.entries(SETTING_GROUPS).flatMap(([group, titles]) =>
  Object.entries(titles).map(([name, title]) => ({ name: name as SettingName, group, title })),
)
