import type { SourceDatabase, SourceTable, SourceValue } from './bugzilla-dump.ts'

/** The database of another release or dialect of Bugzilla, made from one of 5.2. */
export interface OtherRelease {
  readonly name: string
  readonly database: SourceDatabase
  /** Tables of ours whose rows differ from those of 5.2. */
  readonly differs: readonly string[]
  /** Lines of the report. */
  readonly report: readonly RegExp[]
}

type Change = (database: SourceDatabase) => SourceDatabase

export function otherReleases(base: SourceDatabase): OtherRelease[] {
  const made = (name: string, changes: readonly Change[], differs: readonly string[], report: readonly RegExp[]) => ({
    name,
    database: changes.reduce((database, change) => change(database), base),
    differs,
    report,
  })
  return [
    made('4.4', RELEASE_4_4, LATER_TABLES, [/^bugs +6 +5/m, /^bugs_activity +8 +4 +2 +2/m]),
    made('5.0', RELEASE_5_0, [], [/^user_api_keys +4 +4/m]),
    made(
      '5.1',
      RELEASE_5_1,
      ['comments'],
      [/not imported: .*user_api_keys\.app_id/, /^oauth2_client +1 +0 +0 +1 +there is no place/m],
    ),
    made(
      'Red Hat',
      RED_HAT,
      [],
      [
        /not imported: .*bugs\.docs_contact, .*bugs\.target_release/,
        /^ext_bz_bug_map +1 +0 +0 +1 +there is no place/m,
        /^rh_sub_components +1 +0 +0 +1 +there is no place/m,
      ],
    ),
    made(
      'bugzilla.mozilla.org',
      MOZILLA,
      ['comments', 'users', 'bugs', 'fields', 'field_values'],
      [
        /not imported: attachments\.attach_size, .*, bugs\.filed_via, components\.triage_owner_id, .*keyworddefs\.is_active/,
        /^fielddefs cf_tracking_lamp: left out: its values are not in the dump/m,
        /^tracking_flags_bugs +1 +0 +0 +1 +there is no place/m,
      ],
    ),
  ]
}

/** What the tables that came with 5.0 are imported to, and what 4.4 stores elsewhere. */
const LATER_TABLES = ['api_keys', 'bug_aliases', 'comment_tags', 'ignored_bugs', 'last_visits', 'mail_forms']

const RELEASE_4_4: readonly Change[] = [
  withoutTables('bugs_aliases', 'user_api_keys', 'longdescs_tags', 'longdescs_tags_activity'),
  withoutTables('email_bug_ignore', 'bug_user_last_visit'),
  withColumn('bugs', 'alias', 'varchar(20)', (index) => (index === 0 ? 'lamp-one' : null)),
  withColumn('namedqueries', 'query_type', 'tinyint(4)', () => 0),
  withColumn('attachments', 'isurl', 'tinyint(4)', () => 0),
  withoutColumn('bugs_activity', 'id'),
  withoutColumn('profiles_activity', 'id'),
  withoutColumn('bug_see_also', 'id'),
  withoutColumn('fielddefs', 'long_desc'),
  withoutColumn('setting', 'is_enabled'),
  withRows('setting', ([name]) => name !== 'bugmail_new_prefix'),
]

const RELEASE_5_0: readonly Change[] = [
  withoutColumn('profiles', 'nick'),
  withoutColumn('bugs', 'cf_of_an_extension'),
  withColumn('bug_see_also', 'unused', 'tinyint(4)', () => null),
]

const RELEASE_5_1: readonly Change[] = [
  withColumn('user_api_keys', 'app_id', 'varchar(64)', () => null),
  withColumn('longdescs', 'is_markdown', 'tinyint(4)', (index) => (index === 0 ? 1 : 0)),
  withTable('oauth2_client', 'id secret', [1, 2]),
]

const MOZILLA: readonly Change[] = [
  withColumn('longdescs', 'is_markdown', 'tinyint(4)', () => 1),
  withColumn('longdescs', 'edit_count', 'int(11)', () => 0),
  withColumn('profiles', 'creation_ts', 'datetime', () => '2018-01-01 12:00:00'),
  withColumn('profiles', 'mfa', 'varchar(8)', () => ''),
  withColumn('bugs', 'bug_type', 'varchar(20)', () => 'defect'),
  withColumn('bugs', 'filed_via', 'varchar(40)', () => 'api'),
  withColumn('components', 'triage_owner_id', 'mediumint(9)', () => 2),
  withColumn('keyworddefs', 'is_active', 'tinyint(4)', () => 1),
  withColumn('attachments', 'attach_size', 'int(11)', () => 9),
  withTable('bug_type', 'id value sortkey isactive visibility_value_id', [1, 'defect', 1, 1, null]),
  withTable('tracking_flags', 'id field_id name', [1, 120, 'cf_tracking_lamp']),
  withTable('tracking_flags_bugs', 'id tracking_flag_id bug_id value', [1, 1, 10, '+']),
  withRow('fielddefs', { id: 120, name: 'cf_tracking_lamp', type: 99, custom: 1, description: 'Tracking' }),
  withRow('fielddefs', { id: 121, name: 'bug_type', type: 2, custom: 0, description: 'Type' }),
]

const RED_HAT: readonly Change[] = [
  withColumn('bugs', 'target_release', 'varchar(64)', () => '---'),
  withColumn('bugs', 'docs_contact', 'mediumint(9)', () => null),
  withColumn('groups', 'isexternal', 'tinyint(4)', () => 0),
  withTable('rh_sub_components', 'id component_id name', [1, 7, 'Filament']),
  withTable('ext_bz_bug_map', 'id bug_id ext_bz_bug_id', [1, 10, 'LAMP-1']),
]

function changed(name: string, change: (table: SourceTable) => SourceTable): Change {
  return (database) => new Map(database).set(name, change(database.get(name) as SourceTable))
}

export function withoutColumn(table: string, column: string): Change {
  return changed(table, ({ columns, rows }) => {
    const index = columns.findIndex(([name]) => name === column)
    return { columns: columns.toSpliced(index, 1), rows: rows.map((row) => row.toSpliced(index, 1)) }
  })
}

function withColumn(table: string, column: string, type: string, value: (index: number) => SourceValue): Change {
  return changed(table, ({ columns, rows }) => ({
    columns: [...columns, [column, type]],
    rows: rows.map((row, index) => [...row, value(index)]),
  }))
}

function withRow(table: string, values: Readonly<Record<string, SourceValue>>): Change {
  return changed(table, ({ columns, rows }) => ({
    columns,
    rows: [...rows, columns.map(([name, type]) => values[name] ?? (type.includes('text') ? '' : null))],
  }))
}

function withRows(table: string, isKept: (row: SourceValue[]) => boolean): Change {
  return changed(table, ({ columns, rows }) => ({ columns, rows: rows.filter(isKept) }))
}

function withTable(name: string, columns: string, ...rows: SourceValue[][]): Change {
  return (database) =>
    new Map(database).set(name, { columns: columns.split(' ').map((column) => [column, 'varchar(64)']), rows })
}

export function withoutTables(...names: string[]): Change {
  return (database) => new Map([...database].filter(([name]) => !names.includes(name)))
}
