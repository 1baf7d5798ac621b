import { dictionary } from '../../platform/text/dictionary.ts'
import { UnreadableDump } from './dump/dump-value.ts'
import type { Staging } from './staging/staging.ts'

/** Tables that every Bugzilla has. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = dictionary({
  bugs: [
    'bug_id',
    'assigned_to',
    'bug_status',
    'creation_ts',
    'delta_ts',
    'short_desc',
    'product_id',
    'component_id',
    'reporter',
  ],
  profiles: ['userid', 'login_name', 'cryptpassword', 'realname'],
  longdescs: ['comment_id', 'bug_id', 'who', 'bug_when', 'thetext'],
  bugs_activity: ['bug_id', 'who', 'bug_when', 'fieldid', 'added', 'removed'],
  products: ['id', 'name'],
  components: ['id', 'name', 'product_id'],
  fielddefs: ['id', 'name', 'type', 'custom'],
  groups: ['id', 'name'],
  bug_status: ['id', 'value'],
})

/** Tables that have rows since the installation of Bugzilla. */
const NEVER_EMPTY = ['profiles', 'groups', 'fielddefs', 'bug_status']

/** Refuses what is not the dump of a Bugzilla database, or of an older one than 4.4, before anything is written. */
export function requireBugzilla(staging: Staging) {
  const tables = staging.dumpTables()
  if (tables.size === 0) throw new UnreadableDump('The dump has no tables. Is it the dump of a database?')
  const missing = Object.keys(REQUIRED).filter((name) => !tables.has(name))
  if (missing.length > 0)
    throw new UnreadableDump(
      `This is not the dump of a Bugzilla database: it has no table ${missing.join(', ')}. Nothing was imported.`,
    )
  for (const [name, columns] of Object.entries(REQUIRED)) {
    const lacking = columns.filter((column) => !tables.get(name)?.includes(column))
    if (lacking.length > 0) throw tooOld(`the table ${name} has no column ${lacking.join(', ')}`)
  }
  const empty = NEVER_EMPTY.filter((name) => staging.count(`"dump_${name}"`) === 0)
  if (empty.length > 0)
    throw new UnreadableDump(
      `The dump has no rows of ${empty.join(', ')}, which every Bugzilla has. Make it without --no-data and --tab. Nothing was imported.`,
    )
  // Both came with release 4.4.
  if (!tables.has('bug_tag') && !tables.get('profiles')?.includes('last_seen_date'))
    throw tooOld('there are no personal tags, and users have no last_seen_date')
}

function tooOld(how: string) {
  return new UnreadableDump(
    `The database is of an older release than Bugzilla 4.4 (${how}). Upgrade it with checksetup.pl of a newer Bugzilla first. Nothing was imported.`,
  )
}
