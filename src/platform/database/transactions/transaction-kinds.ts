import type { OperationNode } from 'kysely'
import type { Database } from '../tables.ts'

/**
 * Kinds of transactions that keep others out until they end, so that what they have read stays true.
 * - `configuration` changes what bugs depend on (catalogue, groups, rights, parameters). It excludes all kinds but `login`, `links` and `events`.
 * - `bugs` writes bugs. Any number of them run at once, but none at the same time as a change of the configuration.
 * - `accounts` changes what belongs to single users. These run one at a time, and none during a change of the configuration.
 */
export type TransactionKind = 'configuration' | 'bugs' | 'accounts' | 'migration' | 'login' | 'links' | 'events'

/** The kind of transaction that a statement must run in. */
export type Guard = 'bugs' | 'configuration' | 'audit'

type Table = keyof Database

const BUG_TABLES: readonly Table[] = [
  'bugs',
  'bug_groups',
  'bug_keywords',
  'bug_custom_values',
  'bug_changes',
  'bug_cc',
  'bug_votes',
  'bug_aliases',
  'bug_dependencies',
  'bug_see_also',
  'bug_tags',
  'flags',
  'comments',
  'comment_tags',
  'comment_versions',
  'comment_reactions',
  'attachments',
  'attachment_texts',
  'last_visits',
  'triage_decisions',
  'triage_snoozes',
  'triage_claims',
  'code_links',
]

const CONFIGURATION_TABLES: readonly Table[] = [
  'state_versions',
  'parameters',
  'groups',
  'group_grants',
  'group_controls',
  'classifications',
  'products',
  'components',
  'component_cc',
  'canned_replies',
  'rotations',
  'rotation_members',
  'triage_queues',
  'code_sources',
  'code_source_products',
  'versions',
  'milestones',
  'keywords',
  'flag_types',
  'flag_type_scopes',
  'fields',
  'field_values',
  'field_visibility_values',
  'workflow_transitions',
  'removals',
]

const GUARDS = new Map<string, Guard>([
  ...BUG_TABLES.map((table) => [table, 'bugs'] as const),
  ...CONFIGURATION_TABLES.map((table) => [table, 'configuration'] as const),
  ['audit_log', 'audit'],
  ['changes', 'audit'],
])

/** The guard of a statement, by the table that it writes to. */
export function guardOf(query: OperationNode): Guard | undefined {
  const written = writtenIn(query)
  return written === undefined ? undefined : GUARDS.get(written)
}

/** The parts of Kysely's nodes that name the table of an insert, an update and a delete. */
interface Writes {
  into?: Named
  table?: Named
  from?: { froms: readonly Named[] }
}

interface Named {
  table?: { identifier: { name: string } }
}

function writtenIn(query: OperationNode): string | undefined {
  const { into, table, from } = query as Writes
  const named =
    query.kind === 'InsertQueryNode'
      ? into
      : query.kind === 'UpdateQueryNode'
        ? table
        : query.kind === 'DeleteQueryNode'
          ? from?.froms[0]
          : undefined
  return named?.table?.identifier.name
}

const KINDS: Readonly<Record<Guard, readonly TransactionKind[]>> = {
  bugs: ['bugs', 'configuration', 'migration'],
  configuration: ['configuration', 'migration'],
  // A change of the configuration reads its own entries back, and none of others may come between them.
  audit: ['accounts', 'bugs', 'configuration', 'migration'],
}

/**
 * A failure is a bug of ours: what the statement writes could contradict a parallel transaction, for example leave a
 * bug without a group that becomes mandatory.
 */
export function requireKind(guard: Guard, kinds: ReadonlySet<TransactionKind>) {
  if (!KINDS[guard].some((kind) => kinds.has(kind)))
    throw new Error(`This statement must run in a transaction of the kind ${KINDS[guard].join(' or ')}`)
}

export const NO_KINDS: ReadonlySet<TransactionKind> = new Set()
