import { sql } from 'kysely'
import { isVisible, keyOfRules, type ViewerParams, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import type { Flag } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'

/** How the statements that read comments or attachments differ: in the visibility rules and in the parts. */
export interface ViewVariant<Part extends string> {
  rules: VisibilityRules
  parts: ReadonlySet<Part>
}

/** The key of a variant in a statement family. */
export function keyOfVariant<Part extends string>({ rules, parts }: ViewVariant<Part>): string {
  let key = keyOfRules(rules)
  for (const part of parts) key += ` ${part}`
  return key
}

/** The login of the user who wrote a row, as a column. */
export function creatorOf(table: 'attachments' | 'comments') {
  return sql<string>`(select users.login from users where users.id = ${sql.ref(`${table}.user_id`)})`.as('creator')
}

/** Whether the viewer may see the bug of a row, as a column. */
export function isBugVisible(dialect: Dialect, rules: VisibilityRules, viewer: SqlValues<ViewerParams>) {
  return sql<Flag>`case when ${isVisible(dialect, rules, viewer)} then 1 else 0 end`.as('is_bug_seen')
}
