import { Type } from '@sinclair/typebox'
import { type RawBuilder, sql } from 'kysely'
import { CHANGE_SOURCES } from '../../shared/change-sources.ts'
import { type Caller, isIn } from '../access/caller.ts'
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
  source_name: string | null
  undoes_id: number | null
}

/** The kinds of sources whose id is that of an API key. */
const KEY_KINDS = [CHANGE_SOURCES.indexOf('key'), CHANGE_SOURCES.indexOf('proposal')]

/** Whose names only their owners and administrators see. */
function isOfKey(source: number) {
  return KEY_KINDS.includes(source)
}

/** The name of the source of the joined row of `changes`. A kind whose sources have names is one more case. */
export const sourceName: RawBuilder<string | null> = sql`case
  when changes.source in (${sql.join(KEY_KINDS.map((kind) => sql.lit(kind)))})
  then (select api_keys.description from api_keys where api_keys.id = changes.source_id)
  when changes.source = ${sql.lit(CHANGE_SOURCES.indexOf('code'))}
  then (select code_sources.name from code_sources where code_sources.id = changes.source_id) end`

/** The columns of the joined row of `changes`, besides `change_ref`, which is that of the line itself. */
export const CHANGE_COLUMNS = [
  sql<number | null>`changes.user_id`.as('change_owner'),
  sql<number | null>`changes.source`.as('source'),
  sql<number | null>`changes.source_id`.as('source_id'),
  sourceName.as('source_name'),
  sql<number | null>`changes.undoes_id`.as('undoes_id'),
] as const

export interface ShownSource {
  kind: (typeof CHANGE_SOURCES)[number]
  id?: number
  name?: string
}

/** By what a change was made, as far as the caller may know. */
export function presentSource(caller: Caller, row: ChangeColumns): ShownSource {
  if (row.change_ref === IMPORTED) return { kind: 'import' }
  const kind = CHANGE_SOURCES[row.source ?? 0] ?? 'unknown'
  const isHidden = isOfKey(row.source ?? 0) && row.change_owner !== caller.id && !isIn(caller, 'admin')
  if (isHidden || row.source_id === null) return { kind }
  return { kind, id: row.source_id, ...(row.source_name !== null && { name: row.source_name }) }
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
