/**
 * Maps the names of fields in the fields call and in searches to their names in bugs, changes and history. A field that is not listed
 * has the same name in both.
 */
export const REST_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bug_id: 'id',
    short_desc: 'summary',
    rep_platform: 'platform',
    bug_file_loc: 'url',
    bug_status: 'status',
    status_whiteboard: 'whiteboard',
    bug_severity: 'severity',
    reporter: 'creator',
    dependson: 'depends_on',
    blocked: 'blocks',
    creation_ts: 'creation_time',
    delta_ts: 'last_change_time',
    everconfirmed: 'is_confirmed',
    reporter_accessible: 'is_creator_accessible',
    cclist_accessible: 'is_cc_accessible',
    bug_group: 'groups',
    dup_id: 'dupe_of',
    tag: 'tags',
  }),
)

const FIELD_NAMES = new Map([...REST_NAMES].map(([field, name]) => [name, field]))

/** The name in the fields call, from either name. */
export function fieldNameOf(name: string): string {
  return FIELD_NAMES.get(name) ?? name
}

/** The name in bugs, changes and history. */
export function restNameOf(fieldName: string): string {
  return REST_NAMES.get(fieldName) ?? fieldName
}
