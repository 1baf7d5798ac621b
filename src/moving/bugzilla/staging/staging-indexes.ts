/** How rows are read: by bug, and in the order in which they are written. */
export const INDEXES: readonly (readonly [table: string, columns: string])[] = [
  ['attach_data', 'id'],
  ['attachments', 'bug_id, attach_id'],
  ['bug_group_map', 'bug_id'],
  ['bug_see_also', 'bug_id'],
  ['bug_tag', 'bug_id'],
  ['bug_user_last_visit', 'bug_id'],
  ['bugs', 'bug_id'],
  ['bugs_activity', 'bug_id, id'],
  ['bugs_aliases', 'bug_id'],
  ['cc', 'bug_id'],
  ['dependencies', 'blocked'],
  ['duplicates', 'dupe'],
  ['email_bug_ignore', 'bug_id'],
  ['flags', 'bug_id, id'],
  ['keywords', 'bug_id'],
  ['longdescs', 'bug_id, bug_when, comment_id'],
  ['longdescs_tags', 'comment_id'],
  ['profiles', 'userid'],
  ['user_group_map', 'user_id'],
  ['email_setting', 'user_id'],
  ['series_data', 'series_id'],
  ['votes', 'bug_id'],
]

/** The columns that number the rows of a table. */
export const UNIQUE: readonly (readonly [table: string, key: string])[] = [
  ...['attach_data', 'bug_see_also', 'bugs_activity', 'classifications', 'components', 'fielddefs', 'flags'].map(byId),
  ...['flagtypes', 'groups', 'keyworddefs', 'milestones', 'namedqueries', 'products', 'reports', 'tag'].map(byId),
  ...['user_api_keys', 'versions', 'whine_events', 'whine_queries', 'whine_schedules'].map(byId),
  ['attachments', 'attach_id'],
  ['bugs', 'bug_id'],
  ['longdescs', 'comment_id'],
  ['profiles', 'userid'],
  ['series', 'series_id'],
  ['series_data', 'series_id, series_date'],
]

/** The one column that numbers the rows of a table. */
export function keyOf(table: string): string | undefined {
  const key = UNIQUE.find(([name]) => name === table)?.[1]
  return key?.includes(',') ? undefined : key
}

function byId(table: string) {
  return [table, 'id'] as const
}
