import { oldHash, type SourceDatabase, type SourceTable, type SourceValue } from './bugzilla-dump.ts'

const WHEN = '2020-01-02 03:04:05'

/** A small database of Bugzilla with each table that is imported, and with the faults of an old one. */
export function smallBugzilla(): SourceDatabase {
  const database: SourceDatabase = new Map()
  const table = (name: string, columns: string, ...rows: SourceValue[][]) => {
    const list = columns.split(' ').map((it): [string, string] => {
      const [column = '', type = 'i'] = it.split(':')
      return [column, TYPES[type] ?? type]
    })
    database.set(name, { columns: list, rows } satisfies SourceTable)
  }
  table(
    'profiles',
    'userid login_name:t cryptpassword:t realname:t disabledtext:t disable_mail is_enabled extern_id:t last_seen_date:d nick:t',
    [1, 'admin@example.com', oldHash('adminpass1'), 'Admin', '', 0, 1, null, '2020-05-06 00:00:00', 'boss'],
    [2, 'edna@example.com', oldHash('password1', 'pepper12'), 'Edna Ünïcode', '', 0, 1, null, null, ''],
    [3, 'gone@example.com', '*', 'Gone', 'Left the <b>company</b>', 1, 0, null, null, ''],
    [4, 'old@example.com', 'aaKNIEDOaueR6', 'Old crypt', '', 0, 1, null, null, ''],
    [5, 'EDNA@example.com', null, 'Same login in another case', '', 0, 1, null, null, ''],
    [6, 'insider@example.com', oldHash('password1'), 'Insider', '', 0, 1, null, null, ''],
  )
  table(
    'groups',
    'id name:t description:t isbuggroup userregexp:t isactive icon_url:t',
    [1, 'admin', 'All', 0, '', 1, null],
    [2, 'editbugs', 'Edit', 0, '.*@example\\.com$', 1, null],
    [9, 'editusers', 'Users', 0, '', 1, null],
    [14, 'secret', 'Secret bugs', 1, '(?<=x)y', 1, 'http://icon.test/a.png'],
  )
  table(
    'user_group_map',
    'user_id group_id isbless grant_type',
    [1, 1, 0, 0],
    [1, 9, 1, 0],
    [2, 2, 0, 2],
    [2, 2, 0, 0],
    [6, 14, 0, 2],
    [99, 1, 0, 0],
  )
  table('group_group_map', 'member_id grantor_id grant_type', [1, 2, 0], [1, 14, 1], [1, 77, 0])
  table('watch', 'watcher watched', [2, 6], [2, 2])
  table(
    'email_setting',
    'user_id relationship event',
    ...[0, 1, 2, 3].flatMap((role) => [0, 1, 3, 4, 5, 6, 7, 9, 10, 11, 50].map((event) => [2, role, event])),
    [2, 100, 100],
    [2, 4, 0],
  )
  table('email_bug_ignore', 'user_id bug_id', [2, 10])
  table('setting', 'name:t default_value:t is_enabled', ['email_format', 'html', 1], ['bugmail_new_prefix', 'on', 1])
  table(
    'profile_setting',
    'user_id setting_name:t setting_value:t',
    [6, 'email_format', 'text_only'],
    [6, 'skin', 'Dusk'],
  )
  table(
    'user_api_keys',
    'id user_id api_key:t description:t revoked last_used:d',
    [5, 1, 'k'.repeat(40), 'a key', 0, WHEN],
    [6, 2, 'e'.repeat(40), '', 0, null],
    [7, 2, 'r'.repeat(40), '', 1, null],
    [8, 6, 'i'.repeat(40), '', 0, null],
  )
  table(
    'profiles_activity',
    'id userid who profiles_when:d fieldid oldvalue:t newvalue:t',
    [1, 2, 1, '2019-01-01 00:00:00', 30, null, '2019-01-01'],
    [2, 99, 1, WHEN, 30, null, ''],
  )
  table(
    'audit_log',
    'user_id class:t object_id field:t removed:t added:t at_time:d',
    [1, 'Bugzilla::Product', 3, '__create__', null, 'Lamp', WHEN],
    [99, 'Bugzilla::Field::Choice::bug_status', 1, 'value', 'A', 'B', WHEN],
  )
  addCatalogue(table)
  addBugs(table)
  addSearches(table)
  return database
}

type AddTable = (name: string, columns: string, ...rows: SourceValue[][]) => void

const TYPES: Readonly<Record<string, string>> = {
  i: 'int(11)',
  t: 'mediumtext',
  d: 'datetime',
  b: 'longblob',
  n: 'decimal(7,2)',
}

function addCatalogue(table: AddTable) {
  table(
    'classifications',
    'id name:t description:t sortkey',
    [1, 'Unclassified', '', 0],
    [4, 'Lights', 'All lights', 3],
  )
  table(
    'products',
    'id name:t classification_id description:t isactive defaultmilestone:t allows_unconfirmed',
    [3, 'Lamp', 4, 'Lamps', 1, '---', 1],
    [8, 'Wire', 66, 'Wires', 0, 'M1', 0],
  )
  table(
    'components',
    'id name:t product_id initialowner initialqacontact description:t isactive',
    [7, 'Bulb', 3, 2, 6, 'Glows', 1],
    [12, 'Copper', 8, 1, 88, '', 1],
  )
  table('component_cc', 'user_id component_id', [6, 7], [6, 70])
  table('versions', 'id value:t product_id isactive', [21, '1.0', 3, 1], [22, 'unspecified', 8, 1], [23, '9', 66, 1])
  table('milestones', 'id product_id value:t sortkey isactive', [31, 3, '---', 0, 1], [32, 3, 'M1', 5, 0])
  table(
    'group_control_map',
    'group_id product_id entry membercontrol othercontrol canedit editcomponents editbugs canconfirm',
    [14, 3, 0, 1, 0, 0, 0, 0, 0],
    [14, 55, 0, 1, 0, 0, 0, 0, 0],
  )
  table('keyworddefs', 'id name:t description:t', [2, 'crash', 'It <i>crashes</i>'], [5, 'slow', ''])
  const fields: [number, string, number, number, string][] = [
    [1, 'bug_id', 0, 0, 'Bug #'],
    [2, 'short_desc', 0, 0, 'Summary'],
    [9, 'bug_status', 2, 0, 'Status'],
    [12, 'resolution', 2, 0, 'Resolution'],
    [14, 'priority', 2, 0, 'Priority'],
    [13, 'bug_severity', 2, 0, 'Severity'],
    [8, 'op_sys', 2, 0, 'OS'],
    [6, 'rep_platform', 2, 0, 'Platform'],
    [4, 'product', 2, 0, 'Product'],
    [15, 'component', 2, 0, 'Component'],
    [30, 'creation_ts', 0, 0, 'Creation date'],
    [22, 'cc', 0, 0, 'CC'],
    [55, 'see_also', 7, 0, 'See Also'],
    [47, 'flagtypes.name', 0, 0, 'Flags'],
    [60, 'votes', 0, 0, 'Votes'],
    [101, 'cf_text', 1, 1, 'Text'],
    [102, 'cf_pick', 2, 1, 'Pick'],
    [103, 'cf_many', 3, 1, 'Many'],
    [104, 'cf_long', 4, 1, 'Long'],
    [105, 'cf_when', 5, 1, 'When'],
    [106, 'cf_ref', 6, 1, 'Ref'],
    [107, 'cf_day', 9, 1, 'Day'],
    [108, 'cf_count', 10, 1, 'Count'],
    [109, 'cf_odd', 99, 1, 'Odd'],
  ]
  table(
    'fielddefs',
    'id name:t type custom description:t long_desc:t mailhead sortkey obsolete enter_bug visibility_field_id value_field_id reverse_desc:t is_mandatory',
    ...fields.map(([id, name, type, custom, label]) => [
      id,
      name,
      type,
      custom,
      label,
      '',
      1,
      id * 10,
      0,
      custom,
      name === 'cf_text' ? 4 : null,
      name === 'cf_pick' ? 14 : null,
      name === 'cf_ref' ? 'Referred by' : null,
      0,
    ]),
  )
  table('field_visibility', 'field_id value_id', [101, 3], [101, 404])
  const values = (name: string, ...list: [number, string, number?][]) =>
    table(
      name,
      'id value:t sortkey isactive visibility_value_id',
      ...list.map(([id, value, control]) => [id, value, id * 10, 1, control ?? null]),
    )
  table(
    'bug_status',
    'id value:t sortkey isactive visibility_value_id is_open',
    [1, 'UNCONFIRMED', 10, 1, null, 1],
    [2, 'CONFIRMED', 20, 1, null, 1],
    [4, 'RESOLVED', 40, 1, null, 0],
  )
  values('resolution', [1, ''], [2, 'FIXED'], [5, 'DUPLICATE'])
  values('priority', [1, 'High'], [2, 'Low'])
  values('bug_severity', [1, 'normal'], [2, 'minor'])
  values('op_sys', [1, 'All'])
  values('rep_platform', [1, 'All'])
  values('cf_pick', [1, '---'], [2, 'red', 1], [3, 'blue', 77])
  values('cf_many', [1, 'north'], [2, 'south'])
  table(
    'status_workflow',
    'old_status new_status require_comment',
    [null, 1, 0],
    [null, 2, 0],
    [1, 2, 0],
    [2, 4, 1],
    [4, 2, 0],
    [4, 99, 0],
  )
  table(
    'flagtypes',
    'id name:t description:t cc_list:t target_type:t is_active is_requestable is_requesteeble is_multiplicable sortkey grant_group_id request_group_id',
    [3, 'review', 'Please look', '', 'a', 1, 1, 1, 1, 5, 14, null],
    [4, 'blocker', 'Stops us', 'a@b.test', 'b', 1, 1, 0, 0, 6, null, 404],
  )
  table('flaginclusions', 'type_id product_id component_id', [3, null, null], [4, 3, 7])
  table('flagexclusions', 'type_id product_id component_id', [3, 8, null], [3, 99, null])
}

function addBugs(table: AddTable) {
  const bug = (id: number, more: Record<string, SourceValue> = {}): SourceValue[] => {
    const values: Record<string, SourceValue> = {
      bug_id: id,
      assigned_to: 2,
      bug_file_loc: '',
      bug_severity: 'normal',
      bug_status: 'CONFIRMED',
      creation_ts: WHEN,
      delta_ts: '2021-07-01 12:00:00',
      short_desc: `Lamp ${id} flickers`,
      op_sys: 'All',
      priority: 'High',
      product_id: 3,
      rep_platform: 'All',
      reporter: 2,
      version: '1.0',
      component_id: 7,
      resolution: '',
      target_milestone: '---',
      qa_contact: null,
      status_whiteboard: '',
      lastdiffed: WHEN,
      everconfirmed: 1,
      reporter_accessible: 1,
      cclist_accessible: 1,
      estimated_time: '0.00',
      remaining_time: '0.00',
      deadline: null,
      cf_text: '',
      cf_pick: '---',
      cf_long: '',
      cf_when: null,
      cf_ref: null,
      cf_day: null,
      cf_count: 0,
      cf_odd: '',
      cf_of_an_extension: 'x',
      ...more,
    }
    return Object.values(values)
  }
  const types: Record<string, string> = {
    bug_file_loc: 't',
    bug_severity: 't',
    bug_status: 't',
    creation_ts: 'd',
    delta_ts: 'd',
    short_desc: 't',
    op_sys: 't',
    priority: 't',
    rep_platform: 't',
    version: 't',
    resolution: 't',
    target_milestone: 't',
    status_whiteboard: 't',
    lastdiffed: 'd',
    estimated_time: 'n',
    remaining_time: 'n',
    deadline: 'd',
    cf_text: 't',
    cf_pick: 't',
    cf_long: 't',
    cf_when: 'd',
    cf_day: 'd',
    cf_odd: 't',
    cf_of_an_extension: 't',
  }
  const names = [
    'bug_id',
    'assigned_to',
    'bug_file_loc',
    'bug_severity',
    'bug_status',
    'creation_ts',
    'delta_ts',
    'short_desc',
    'op_sys',
    'priority',
    'product_id',
    'rep_platform',
    'reporter',
    'version',
    'component_id',
    'resolution',
    'target_milestone',
    'qa_contact',
    'status_whiteboard',
    'lastdiffed',
    'everconfirmed',
    'reporter_accessible',
    'cclist_accessible',
    'estimated_time',
    'remaining_time',
    'deadline',
    'cf_text',
    'cf_pick',
    'cf_long',
    'cf_when',
    'cf_ref',
    'cf_day',
    'cf_count',
    'cf_odd',
    'cf_of_an_extension',
  ]
  table(
    'bugs',
    names.map((name) => `${name}:${types[name] ?? 'i'}`).join(' '),
    bug(10, {
      bug_file_loc: 'http://lamp.test/',
      qa_contact: 6,
      status_whiteboard: '[board]',
      estimated_time: '2.50',
      remaining_time: '1.00',
      deadline: '2021-03-04 00:00:00',
      cf_text: 'quoted \'"\\ text\twith\u0000 tabs',
      cf_pick: 'red',
      cf_long: 'Zeile 1\r\nZeile 2 🐛',
      cf_when: '2021-07-01 14:00:00',
      cf_ref: 12,
      cf_day: '2021-02-03',
      cf_count: -7,
      cf_odd: 'odd',
    }),
    bug(11, { creation_ts: null }),
    bug(12, {
      reporter: 77,
      priority: 'P9',
      version: 'gone',
      target_milestone: 'never',
      bug_status: 'RESOLVED',
      resolution: 'FIXED',
    }),
    bug(13, {
      product_id: 8,
      component_id: 12,
      version: 'unspecified',
      target_milestone: 'M1',
      short_desc: 'Hidden wire',
    }),
    bug(14, {
      component_id: 700,
      deadline: '0000-00-00 00:00:00',
      creation_ts: '0000-00-00 00:00:00',
      qa_contact: 123,
    }),
    bug(15, { bug_status: 'RESOLVED', resolution: 'DUPLICATE' }),
  )
  table('bugs_aliases', 'alias:t bug_id', ['lamp-one', 10], ['LAMP-ONE', 12])
  table('cc', 'bug_id who', [10, 6], [10, 6], [10, 99], [13, 2])
  table('keywords', 'bug_id keywordid', [10, 2], [10, 404])
  table('bug_group_map', 'bug_id group_id', [13, 14])
  table('dependencies', 'blocked dependson', [10, 12], [12, 10], [10, 999])
  table('duplicates', 'dupe_of dupe', [10, 15])
  table(
    'bug_see_also',
    'id bug_id value:t class:t',
    [1, 10, 'http://bugs.old.test/show_bug.cgi?id=12', 'Bugzilla::BugUrl::Bugzilla::Local'],
    [2, 10, 'https://github.com/o/r/issues/8', 'Bugzilla::BugUrl::GitHub'],
  )
  table('bug_cf_many', 'bug_id value:t', [10, 'north'], [10, 'south'], [12, 'west'])
  table(
    'longdescs',
    'comment_id bug_id who bug_when:d work_time:n thetext:t isprivate already_wrapped type extra_data:t',
    [50, 10, 2, WHEN, '0.00', 'It flickers; see bug 12\r\nand attachment 5.', 0, 1, 0, null],
    [53, 10, 6, '2020-01-02 03:04:09', '1.25', 'A private word', 1, 0, 0, null],
    [52, 10, 2, '2020-01-02 03:04:08', '-0.50', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), 0, 0, 0, null],
    [54, 10, 2, '2020-01-03 00:00:00', '0.00', 'look', 0, 0, 5, '5'],
    [55, 10, 2, '2020-01-04 00:00:00', '0.00', '', 0, 0, 2, '15'],
    [56, 10, 2, '2020-01-05 00:00:00', '0.00', 'twice encoded: grÃ¼n', 0, 0, 3, null],
    [57, 10, 2, '2020-01-06 00:00:00', '0.00', 'about nothing', 0, 0, 6, '4711'],
    [58, 12, 77, WHEN, '0.00', 'By a user who is gone', 0, 0, 0, null],
    [59, 13, 2, WHEN, '0.00', 'Secret', 0, 0, 0, null],
    [60, 15, 2, WHEN, '0.00', 'Same', 0, 0, 0, null],
    [61, 15, 2, '2020-01-04 00:00:00', '0.00', 'Known.', 0, 0, 1, '10'],
    [62, 999, 2, WHEN, '0.00', 'No bug', 0, 0, 0, null],
    [63, 10, 2, '0000-00-00 00:00:00', '0.00', 'No time', 0, 0, 0, null],
  )
  table('longdescs_tags', 'id comment_id tag:t', [1, 50, 'spam'], [2, 50, 'Spam'])
  table('longdescs_tags_activity', 'id bug_id comment_id who bug_when:d added:t removed:t', [
    1,
    10,
    50,
    2,
    WHEN,
    'spam',
    '',
  ])
  const long = Array.from({ length: 40 }, (_, index) => `user${index}@example.com`).join(', ')
  table(
    'bugs_activity',
    'id bug_id attach_id who bug_when:d fieldid added:t removed:t comment_id',
    [1, 10, null, 2, '2020-02-01 00:00:00', 9, 'CONFIRMED', 'UNCONFIRMED', null],
    [2, 10, null, 2, '2020-02-01 00:00:00', 22, long.slice(0, 251), '', null],
    [3, 10, null, 2, '2020-02-01 00:00:00', 22, long.slice(251, 500), '', null],
    [4, 10, null, 2, '2020-02-01 00:00:00', 22, long.slice(500), '', null],
    [5, 10, 5, 2, '2020-02-02 00:00:00', 47, 'review?(insider@example.com)', null, null],
    [6, 10, null, 2, '2020-02-03 00:00:00', 55, 'http://bugs.old.test/show_bug.cgi?id=12', '', null],
    [7, 10, null, 2, '2020-02-04 00:00:00', 4000, 'x', '', null],
    [8, 999, null, 2, '2020-02-04 00:00:00', 9, 'x', '', null],
  )
  table(
    'attachments',
    'attach_id bug_id creation_ts:d modification_time:d description:t mimetype:t ispatch filename:t submitter_id isobsolete isprivate',
    [5, 10, WHEN, WHEN, 'A picture', 'image/png', 0, 'a.png', 2, 0, 0],
    [6, 10, WHEN, WHEN, 'In a file', 'text/plain', 1, 'b.txt', 2, 0, 1],
    [107, 10, WHEN, WHEN, 'Deleted', 'text/plain', 0, 'c.txt', 2, 1, 0],
    [108, 999, WHEN, WHEN, 'Orphan', 'text/plain', 0, 'd.txt', 2, 1, 0],
  )
  table(
    'attach_data',
    'id thedata:b',
    [5, Buffer.from([0, 1, 39, 92, 10, 13, 26, 255, 34])],
    [6, Buffer.alloc(0)],
    [9, Buffer.from('orphan')],
  )
  table(
    'flags',
    'id type_id status:t bug_id attach_id creation_date:d modification_date:d setter_id requestee_id',
    [70, 3, '?', 10, 5, WHEN, WHEN, 2, 6],
    [71, 4, '+', 10, null, WHEN, null, 2, 99],
    [72, 99, '+', 10, null, WHEN, WHEN, 2, null],
  )
  table('tag', 'id name:t user_id', [3, 'mine', 2])
  table('bug_tag', 'bug_id tag_id', [10, 3], [10, 33])
  table('bug_user_last_visit', 'id user_id bug_id last_visit_ts:d', [1, 2, 10, WHEN], [2, 99, 10, WHEN])
  table('votes', 'who bug_id vote_count', [2, 10, 3])
}

function addSearches(table: AddTable) {
  table(
    'namedqueries',
    'id userid name:t query:t',
    [4, 2, 'Open lamps', 'product=Lamp&bug_status=__open__&query_format=advanced'],
    [6, 2, '(Default query)', 'a=b'],
    [8, 2, 'Popular lamps', 'product=Lamp;f1=votes;o1=greaterthan;v1=3'],
    [7, 99, 'x', 'a=b'],
  )
  table('namedquery_group_map', 'namedquery_id group_id', [4, 2])
  table('namedqueries_link_in_footer', 'namedquery_id user_id', [4, 2])
  table('reports', 'id user_id name:t query:t', [1, 2, 'By status', 'x_axis_field=bug_status'])
  table('series_categories', 'id name:t', [1, 'Lamp'], [2, 'All'])
  table(
    'series',
    'series_id creator category subcategory name:t frequency query:t is_public',
    [5, 2, 1, 2, 'Open', 7, 'product=Lamp', 1],
    [6, null, 99, 2, 'Lost', 1, 'a=b', 1],
  )
  table(
    'series_data',
    'series_id series_date:d series_value',
    [5, '2020-01-01 00:00:00', 3],
    [5, '2020-01-08 00:00:00', 4],
    [6, '2020-01-01 00:00:00', 1],
  )
  table('category_group_map', 'category_id group_id', [1, 14])
  table('whine_events', 'id owner_userid subject:t body:t mailifnobugs', [2, 2, 'Lamps', 'Look at these', 1])
  table(
    'whine_queries',
    'id eventid query_name:t sortkey onemailperbug title:t',
    [3, 2, 'Open lamps', 1, 0, 'Open ones'],
    [4, 2, 'no such search', 2, 0, ''],
  )
  table(
    'whine_schedules',
    'id eventid run_day:t run_time:t run_next:d mailto mailto_type',
    [5, 2, 'MF', '8', null, 2, 0],
    [6, 2, 'Xyz', '8', null, 2, 0],
  )
  table('quips', 'quipid userid quip:t approved', [1, 2, 'Light is a wave.', 1])
  table('an_extension', 'id what:t', [1, 'kept'])
  table('bugs_fulltext', 'bug_id short_desc:t comments:t', [10, 'Lamp', 'text'])
  table('logincookies', 'cookie:t userid', ['abc', 2])
}
