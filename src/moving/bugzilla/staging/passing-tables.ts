import { dictionary } from '../../../platform/text/dictionary.ts'

/** What was in the running program, not in the tracker: counted, and not kept. The reason is for the report. */
export const PASSING_TABLES: Readonly<Record<string, string>> = dictionary({
  bugs_fulltext: 'the search index is built anew',
  bz_schema: 'the description of the old schema',
  logincookies: 'everybody logs in again',
  tokens: 'open links in old mail end with the old installation',
  login_failure: 'lockouts end with the old installation',
  longdescs_tags_weights: 'counted anew',
  profile_search: 'the last result lists of each user',
  mail_staging: 'mail of the old installation',
  ts_error: 'jobs of the old installation',
  ts_exitstatus: 'jobs of the old installation',
  ts_funcmap: 'jobs of the old installation',
  ts_job: 'jobs of the old installation',
  ts_note: 'jobs of the old installation',
  setting_value: 'the choices that the old pages offered',
})

/** Columns that are known and need no line in the report: they are computed anew, or describe the old program. */
export const PASSING_COLUMNS: ReadonlySet<string> = new Set([
  'bugs.lastdiffed',
  'bugs.votes',
  'bugs.alias',
  'bugs.keywords',
  'bugs.creation_ts',
  'fielddefs.buglist',
  'fielddefs.is_numeric',
  'profiles.mybugslink',
  'profiles.refreshed_when',
  'groups.last_changed',
  'whine_schedules.run_next',
  'bug_user_last_visit.id',
  'longdescs_tags.id',
  'setting.is_enabled',
  'setting.subclass',
])

const INTEGER_NAMES =
  /^(id|.*_id|.*id|who|assigned_to|reporter|qa_contact|blocked|dependson|dupe|dupe_of|watcher|watched|series_value|sortkey|type|custom|obsolete|is[a-z_]*|.*control|entry|can.*|edit.*|event|relationship|grant_type|initialowner|initialqacontact|grantor_id|member_id|mailto|mailto_type|old_status|new_status|category|subcategory|creator|revoked)$/

/** Whether a column without a type holds numbers, by its name. */
export function isIntegerName(name: string) {
  return INTEGER_NAMES.test(name) && !name.startsWith('cf_') && name !== 'extern_id'
}
