import { appliesTo, type FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { getFlagTypes, listFlagTypesOf } from '../../catalogue/flag-types/flag-type-store.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { FlagWithType } from './flag.ts'

/** The bug or attachment that has flags. */
export interface FlagHolder {
  bugId: number
  productId: number
  componentId: number
  attachmentId?: number
}

const onBugs = statement<{ ids: string }>()((q, p, d) =>
  flagRows(q).where('flags.bug_id', 'in', d.integersIn(p.ids)).where('flags.attachment_id', 'is', null),
)
const onAttachments = statement<{ ids: string }>()((q, p, d) =>
  flagRows(q).where('flags.attachment_id', 'in', d.integersIn(p.ids)),
)

function flagRows(q: Builder) {
  return q
    .selectFrom('flags')
    .leftJoin('users as requestees', 'requestees.id', 'flags.requestee_id')
    .select(['flags.id', 'flags.bug_id', 'flags.attachment_id', 'flags.type_id', 'flags.status', 'flags.setter_id'])
    .select(['flags.requestee_id', 'requestees.login as requestee_login'])
    .orderBy('flags.id')
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

/** Returns a function from each of these bugs or attachments to its flags and the flag types that apply to it. */
export async function readFlagsOf(
  tx: Db,
  holders: readonly FlagHolder[],
): Promise<(holder: FlagHolder) => { existing: FlagWithType[]; types: FlagType[] }> {
  const rows = await rowsOf(tx, holders)
  const rowsBy = Map.groupBy(rows, ({ bug_id, attachment_id }) => keyOf(bug_id, attachment_id))
  const types = await listFlagTypesOf(tx, [...new Set(holders.map(({ productId }) => productId))])
  const typesOf = await typesById(tx, types, rows)
  return ({ bugId, attachmentId, productId, componentId }) => {
    const target = attachmentId === undefined ? 'bug' : 'attachment'
    return {
      existing: (rowsBy.get(keyOf(bugId, attachmentId ?? null)) ?? []).map((row) => flagFrom(row, typesOf)),
      types: types.filter((type) => type.target === target && appliesTo(type, productId, componentId)),
    }
  }
}

async function rowsOf(tx: Db, holders: readonly FlagHolder[]) {
  const bugs = holders.filter(({ attachmentId }) => attachmentId === undefined).map(({ bugId }) => bugId)
  const attachments = holders.flatMap(({ attachmentId }) => attachmentId ?? [])
  return [
    ...(bugs.length > 0 ? await tx.all(onBugs, { ids: JSON.stringify(bugs) }) : []),
    ...(attachments.length > 0 ? await tx.all(onAttachments, { ids: JSON.stringify(attachments) }) : []),
  ]
}

/** All types by id, including those of existing flags whose type does not apply. */
async function typesById(tx: Db, types: readonly FlagType[], rows: readonly Row[]): Promise<Map<number, FlagType>> {
  const known = new Map(types.map((type) => [type.id, type]))
  const others = await getFlagTypes(
    tx,
    rows.map((row) => row.type_id).filter((id) => !known.has(id)),
  )
  for (const type of others) known.set(type.id, type)
  return known
}

function flagFrom(row: Row, types: ReadonlyMap<number, FlagType>): FlagWithType {
  return {
    id: row.id,
    type: types.get(row.type_id) as FlagType,
    status: row.status,
    setterId: row.setter_id,
    requestee: row.requestee_id === null ? null : { id: row.requestee_id, login: row.requestee_login ?? '' },
  }
}

function keyOf(bugId: number, attachmentId: number | null) {
  return `${bugId} ${attachmentId}`
}
