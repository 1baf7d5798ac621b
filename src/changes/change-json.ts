import { Type } from '@sinclair/typebox'
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'
import { CHANGE_SOURCES } from '../../shared/change-sources.ts'
import { type Caller, isIn, isSignedIn } from '../access/caller.ts'
import { IMPORTED } from './current-change.ts'

export const Source = Type.Object(
  {
    kind: Type.Union(
      CHANGE_SOURCES.map((kind) => Type.Literal(kind)),
      { description: 'By what the change was made; `unknown` if it is older than this record.' },
    ),
    id: Type.Optional(
      Type.Integer({ description: 'Id of the API key, for its owner and members of admin, or of the source of code.' }),
    ),
    name: Type.Optional(
      Type.String({
        description: 'Description of the API key, for its owner and members of admin, or name of the source of code.',
      }),
    ),
    proposal: Type.Optional(Type.Integer({ description: 'The accepted proposal, for callers who are logged in.' })),
    proposer: Type.Optional(
      Type.String({ description: 'Login name of the user who proposed it, for callers who are logged in.' }),
    ),
  },
  { title: 'ChangeSource', additionalProperties: false },
)

/** What a line of history, a comment or an entry of the audit log says about the call that wrote it. */
export interface ChangeColumns {
  /** 0 if it was imported, null if it is older than this record. */
  change_ref: number | null
  change_owner: number | null
  source: number | null
  source_id: number | null
  /** The API key that made or proposed it, with its owner. */
  key_id: number | null
  key_owner: number | null
  source_name: string | null
  /** Login name of the user who proposed it. */
  proposer: string | null
  undoes_id: number | null
}

const KEY = CHANGE_SOURCES.indexOf('key')
const PROPOSAL = CHANGE_SOURCES.indexOf('proposal')
const CODE = CHANGE_SOURCES.indexOf('code')
const isOf = (kind: number) => sql`changes.source = ${sql.lit(kind)}`
const ofProposal = (value: RawBuilder<unknown>) =>
  sql`(select ${value} from proposals where proposals.id = changes.source_id)`
const descriptionOf = (keyId: RawBuilder<unknown>) =>
  sql`(select api_keys.description from api_keys where api_keys.id = ${keyId})`

/** What is read of the row of `changes`, besides `change_ref`, which is that of the line itself. A source with a name is one more case. */
export const COLUMNS_OF_CHANGE = {
  change_owner: sql<number | null>`changes.user_id`,
  source: sql<number | null>`changes.source`,
  source_id: sql<number | null>`changes.source_id`,
  key_id: sql<number | null>`case when ${isOf(KEY)} then changes.source_id
    when ${isOf(PROPOSAL)} then ${ofProposal(sql`proposals.key_id`)} end`,
  key_owner: sql<
    number | null
  >`case when ${isOf(PROPOSAL)} then ${ofProposal(sql`proposals.user_id`)} else changes.user_id end`,
  source_name: sql<string | null>`case when ${isOf(KEY)} then ${descriptionOf(sql`changes.source_id`)}
    when ${isOf(PROPOSAL)} then ${descriptionOf(ofProposal(sql`proposals.key_id`))}
    when ${isOf(CODE)} then (select code_sources.name from code_sources where code_sources.id = changes.source_id) end`,
  proposer: sql<string | null>`case when ${isOf(PROPOSAL)} then (select users.login from proposals
    join users on users.id = proposals.user_id where proposals.id = changes.source_id) end`,
  undoes_id: sql<number | null>`changes.undoes_id`,
}

type ColumnName = keyof typeof COLUMNS_OF_CHANGE
type ValueOf<Builder> = Builder extends RawBuilder<infer Value> ? Value : never

/** The same of the joined row of `changes`. */
export const CHANGE_COLUMNS = Object.entries(COLUMNS_OF_CHANGE).map(([name, value]) =>
  (value as RawBuilder<unknown>).as(name),
) as unknown as readonly {
  [Name in ColumnName]: AliasedRawBuilder<ValueOf<(typeof COLUMNS_OF_CHANGE)[Name]>, Name>
}[ColumnName][]

export interface ShownSource {
  kind: (typeof CHANGE_SOURCES)[number]
  id?: number
  name?: string
  proposal?: number
  proposer?: string
}

/** By what a change was made, as far as the caller may know. */
export function presentSource(caller: Caller, row: ChangeColumns): ShownSource {
  if (row.change_ref === IMPORTED) return { kind: 'import' }
  const kind = CHANGE_SOURCES[row.source ?? 0] ?? 'unknown'
  const { source_id, key_id, proposer } = row
  const isHidden = key_id !== null && row.key_owner !== caller.id && !isIn(caller, 'admin')
  const id = key_id ?? (kind === 'proposal' ? null : source_id)
  return {
    kind,
    ...(!isHidden && id !== null && { id }),
    ...(!isHidden && id !== null && row.source_name !== null && { name: row.source_name }),
    ...(kind === 'proposal' && source_id !== null && isSignedIn(caller) && { proposal: source_id }),
    ...(proposer !== null && isSignedIn(caller) && { proposer }),
  }
}

/** What is said about a change beside what it did: nothing of one that has no number. */
export function presentChange(caller: Caller, row: ChangeColumns) {
  const { change_ref, undoes_id } = row
  const isNumbered = change_ref !== null && change_ref !== IMPORTED
  return {
    ...(isNumbered && { change_id: change_ref }),
    source: presentSource(caller, row),
    ...(isNumbered && undoes_id !== null && { undoes: undoes_id }),
  }
}
