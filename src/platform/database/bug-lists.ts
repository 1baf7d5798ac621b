/**
 * Bits of `bugs.lists` that say which lists of a bug may have rows. Reading a number in the bug's own row is free;
 * querying eight tables that are mostly empty costs more than the rest of reading a bug. Triggers set a bit with the
 * first row and never clear it: an unset bit means no rows. The bits only affect what is shown of a bug, never who sees
 * it (see visible-bugs.ts).
 */
export const LIST_BITS = {
  aliases: 1,
  keywords: 2,
  groups: 4,
  dependsOn: 8,
  blocks: 16,
  seeAlso: 32,
  flags: 64,
  custom: 128,
} as const

export type ListOfBug = keyof typeof LIST_BITS

/** The table of each list, and its column with the bug id. */
export const LIST_ROWS: Readonly<Record<ListOfBug, { table: string; column: string }>> = {
  aliases: { table: 'bug_aliases', column: 'bug_id' },
  keywords: { table: 'bug_keywords', column: 'bug_id' },
  groups: { table: 'bug_groups', column: 'bug_id' },
  dependsOn: { table: 'bug_dependencies', column: 'blocked_id' },
  blocks: { table: 'bug_dependencies', column: 'depends_on_id' },
  seeAlso: { table: 'bug_see_also', column: 'bug_id' },
  flags: { table: 'flags', column: 'bug_id' },
  custom: { table: 'bug_custom_values', column: 'bug_id' },
}

const LISTS = Object.keys(LIST_BITS) as ListOfBug[]

/** Sets the bits for all rows; for programs that insert rows without the triggers. */
export const SET_ALL_LISTS = LISTS.map((list) => {
  const { table, column } = LIST_ROWS[list]
  return `update bugs set lists = lists | ${LIST_BITS[list]} where id in (select ${column} from ${table});`
}).join('\n')

/** Selects bugs with rows in a list whose bit is not set. There are none unless a program bypassed the triggers. */
export const WRONG_LISTS = `select id from bugs where ${LISTS.map((list) => {
  const { table, column } = LIST_ROWS[list]
  return `(lists & ${LIST_BITS[list]} = 0 and exists (select 1 from ${table} where ${table}.${column} = bugs.id))`
}).join(' or ')} order by id`
