import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../../access/call.ts'
import { keyOfRules, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { LimitedDb } from '../../../platform/database/db.ts'
import type { Builder, SqlValue, SqlValues } from '../../../platform/database/statements/builder.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import type { ProposalKind, ProposalState, RowState } from '../proposal.ts'
import {
  currentState,
  isProposalReadable,
  isRowReadable,
  type ProposalReader,
  proposalReader,
} from './visible-proposals.ts'

type Reader = Pick<CallContext, 'caller' | 'settings'>

/** Which proposals are listed; what is undefined does not matter. */
export interface ProposalFilter {
  ids?: readonly number[] | undefined
  bugId?: number | undefined
  state?: ProposalState | undefined
  kind?: ProposalKind | undefined
  userId?: number | undefined
  keyId?: number | undefined
  batchId?: number | undefined
  product?: string | undefined
  /** For whom a bug is, by role: those whose component has one of these ids count too. */
  forUser?: { id: number; componentIds: readonly number[] } | undefined
}

export interface ProposalPage {
  before: number
  most: number
}

export interface ListedProposal {
  id: number
  batch_id: number | null
  kind: ProposalKind
  bug_id: number | null
  attachment_id: number | null
  product_id: number
  reason: string
  at: string
  expires_at: string
  current_state: ProposalState
  state_at: string | null
  closed_by: string | null
  note: string
  user_id: number
  login: string
  real_name: string
  nick: string | null
  key_id: number
  key_name: string | null
  product: string
  component: string | null
  summary: string | null
}

export interface ReadableRow {
  proposal_id: number
  name: string
  lines: string
  reason: string
  state: RowState
  decided_at: string | null
  decided_by: string | null
  change_id: number | null
}

/** The readable proposals with these properties, the newest first. */
export async function listReadable(
  db: LimitedDb,
  reader: Reader,
  filter: ProposalFilter,
  page: ProposalPage,
): Promise<ListedProposal[]> {
  const { settings: rules } = reader
  const params = { ...proposalReader(reader), ...page }
  const { bugId, state, ...others } = filter
  if (bugId !== undefined && state === 'open' && Object.values(others).every((it) => it === undefined)) {
    const found = await db.allOfFewRows(openOfBug(rules), { ...params, bugId })
    if (found !== undefined) return found
  }
  return db.querySlowly((q, d) => listed(q, d, rules, params, conditionsOf(d, rules, params, filter)))
}

/** Every page of a bug asks for its open proposals, so that a connection to PostgreSQL keeps the plan of this statement. */
const openOfBug = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<ProposalReader & ProposalPage & { bugId: number }>()((q, p, d) => {
    const conditions = conditionsOf(d, rules, p, { bugId: p.bugId, state: 'open' })
    // Each row is counted before it is tested for anything else.
    return listed(q, d, rules, p, [d.isRowAllowed, ...conditions])
  }),
)

function listed(
  q: Builder,
  d: Dialect,
  rules: VisibilityRules,
  params: SqlValues<ProposalReader & ProposalPage>,
  conditions: readonly RawBuilder<boolean>[],
) {
  return (
    readable(q, d, rules, params, conditions)
      .select(['proposals.id', 'proposals.batch_id', 'proposals.kind', 'proposals.bug_id', 'proposals.attachment_id'])
      .select(['proposals.product_id', 'proposals.reason', 'proposals.at', 'proposals.expires_at', 'proposals.note'])
      .select(['proposals.state_at', 'proposals.user_id', 'proposals.key_id', 'bugs.summary'])
      .select(['authors.login', 'authors.real_name', 'authors.nick'])
      // Not joined: PostgreSQL would consider every order of the tables each time.
      .select(({ selectFrom }) => [
        selectFrom('users').select('login').whereRef('users.id', '=', 'proposals.state_by_id').as('closed_by'),
        selectFrom('api_keys').select('description').whereRef('api_keys.id', '=', 'proposals.key_id').as('key_name'),
        selectFrom('products').select('name').whereRef('products.id', '=', 'proposals.product_id').as('product'),
        selectFrom('components')
          .select('name')
          .whereRef('components.id', '=', 'proposals.component_id')
          .as('component'),
      ])
      .select(currentState(d, rules, params).as('current_state'))
      .where('proposals.id', '<', params.before)
      .orderBy('proposals.id', 'desc')
      .limit(params.most)
      .$castTo<ListedProposal>()
  )
}

export async function countReadable(db: LimitedDb, reader: Reader, filter: ProposalFilter): Promise<number> {
  const { settings: rules } = reader
  const params = proposalReader(reader)
  const [row] = await db.querySlowly((q, d) =>
    readable(q, d, rules, params, conditionsOf(d, rules, params, filter)).select(({ fn }) =>
      fn.countAll<number>().as('count'),
    ),
  )
  return Number(row?.count ?? 0)
}

function readable(
  q: Builder,
  d: Dialect,
  rules: VisibilityRules,
  params: SqlValues<ProposalReader>,
  conditions: readonly RawBuilder<boolean>[],
) {
  return q
    .selectFrom('proposals')
    .innerJoin('users as authors', 'authors.id', 'proposals.user_id')
    .leftJoin('bugs', 'bugs.id', 'proposals.bug_id')
    .where(({ and }) => and([...conditions, isProposalReadable(d, rules, params)]))
}

function conditionsOf(
  d: Dialect,
  rules: VisibilityRules,
  params: SqlValues<ProposalReader>,
  filter: Omit<ProposalFilter, 'bugId'> & { bugId?: SqlValue<number> | undefined },
): RawBuilder<boolean>[] {
  const { ids, bugId, state, kind, userId, keyId, batchId, product, forUser } = filter
  const conditions: (RawBuilder<boolean> | undefined)[] = [
    ids && sql<boolean>`proposals.id in ${d.integersIn(JSON.stringify(ids))}`,
    bugId === undefined ? undefined : sql<boolean>`proposals.bug_id = ${bugId}`,
    // The index finds those that are stored as open; others may have expired since.
    state === 'open' ? sql<boolean>`proposals.state = 'open'` : undefined,
    state && sql<boolean>`(${currentState(d, rules, params)}) = ${state}`,
    kind && sql<boolean>`proposals.kind = ${kind}`,
    userId === undefined ? undefined : sql<boolean>`proposals.user_id = ${userId}`,
    keyId === undefined ? undefined : sql<boolean>`proposals.key_id = ${keyId}`,
    batchId === undefined ? undefined : sql<boolean>`proposals.batch_id = ${batchId}`,
    product === undefined
      ? undefined
      : sql<boolean>`exists (select 1 from products where products.id = proposals.product_id and products.name_key = ${product})`,
    forUser && isFor(d, forUser),
  ]
  return conditions.filter((it) => it !== undefined)
}

/** Of bugs that are theirs to work on, or to triage. */
function isFor(d: Dialect, { id, componentIds }: NonNullable<ProposalFilter['forUser']>): RawBuilder<boolean> {
  return sql<boolean>`(bugs.assigned_to_id = ${id} or bugs.qa_contact_id = ${id}
    or coalesce(bugs.component_id, proposals.component_id) in ${d.integersIn(JSON.stringify(componentIds))})`
}

/** The rows of these proposals that the reader may read, without what they would send. */
export function listReadableRows(db: LimitedDb, reader: Reader, ids: readonly number[]): Promise<ReadableRow[]> {
  return db.querySlowly((q, d) =>
    q
      .selectFrom('proposal_rows')
      .leftJoin('users', 'users.id', 'proposal_rows.decided_by_id')
      .select([
        'proposal_id',
        'name',
        'lines',
        'reason',
        'state',
        'decided_at',
        'change_id',
        'users.login as decided_by',
      ])
      .where('proposal_id', 'in', d.integersIn(JSON.stringify(ids)))
      .where(isRowReadable(d, reader.settings, proposalReader(reader)))
      .orderBy('proposal_rows.id'),
  )
}
