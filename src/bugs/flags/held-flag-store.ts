import type { FlagType, ScopedFlagType } from '../../catalogue/flag-types/flag-type.ts'
import { appliesTo } from '../../catalogue/flag-types/flag-type.ts'
import { getFlagTypes, listFlagTypesOf } from '../../catalogue/flag-types/flag-type-store.ts'
import type { Builder } from '../../platform/database/builder.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statement.ts'
import { errors } from '../../platform/errors.ts'
import type { FlagAfter, HeldFlag } from './flag.ts'

/** What flags are set on: a bug, or an attachment of it. */
export interface FlagHolder {
  bugId: number
  productId: number
  componentId: number
  attachmentId?: number
}

const onBug = statement<{ bugId: number }>()((q, p) =>
  flagRows(q).where('flags.bug_id', '=', p.bugId).where('flags.attachment_id', 'is', null),
)
const onAttachment = statement<{ attachmentId: number }>()((q, p) =>
  flagRows(q).where('flags.attachment_id', '=', p.attachmentId),
)

function flagRows(q: Builder) {
  return q
    .selectFrom('flags')
    .leftJoin('users as requestees', 'requestees.id', 'flags.requestee_id')
    .select(['flags.id', 'flags.type_id', 'flags.status', 'flags.setter_id', 'flags.requestee_id'])
    .select('requestees.login as requestee_login')
    .orderBy('flags.id')
}

/** The flags of a bug or an attachment, and the types of which it can have some. */
export async function readFlagsOf(
  tx: Db,
  { bugId, attachmentId, productId, componentId }: FlagHolder,
): Promise<{ held: HeldFlag[]; types: FlagType[] }> {
  const rows =
    attachmentId === undefined ? await tx.all(onBug, { bugId }) : await tx.all(onAttachment, { attachmentId })
  const target = attachmentId === undefined ? 'bug' : 'attachment'
  const types = (await listFlagTypesOf(tx, [productId])).filter(
    (type) => type.target === target && appliesTo(type, productId, componentId),
  )
  const known = new Map<number, FlagType>([...types, ...(await others(tx, types, rows))].map((type) => [type.id, type]))
  const held = rows.map(
    (row): HeldFlag => ({
      id: row.id,
      type: known.get(row.type_id) as FlagType,
      status: row.status,
      setterId: row.setter_id,
      requestee: row.requestee_id === null ? null : { id: row.requestee_id, login: row.requestee_login ?? '' },
    }),
  )
  return { held, types }
}

/** The types of flags that are there although their type does not apply. */
function others(tx: Db, types: readonly FlagType[], rows: readonly { type_id: number }[]): Promise<ScopedFlagType[]> {
  const ids = rows.map((row) => row.type_id).filter((id) => !types.some((type) => type.id === id))
  return getFlagTypes(tx, ids)
}

interface FlagRow {
  status: FlagAfter['status']
  setterId: number
  requesteeId: number | null
  at: string
}

const insert = statement<FlagRow & { typeId: number; bugId: number; attachmentId: number | null }>()((q, p) =>
  q
    .insertInto('flags')
    .values({
      type_id: p.typeId,
      bug_id: p.bugId,
      attachment_id: p.attachmentId,
      status: p.status,
      setter_id: p.setterId,
      requestee_id: p.requesteeId,
      created_at: p.at,
      modified_at: p.at,
    })
    .returning('id'),
)
const update = statement<FlagRow & { id: number }>()((q, p) =>
  q
    .updateTable('flags')
    .set({ status: p.status, setter_id: p.setterId, requestee_id: p.requesteeId, modified_at: p.at })
    .where('id', '=', p.id),
)

/** Its type can be removed at this very moment; then it is not there, as it would not be a moment later. */
export async function insertFlag(
  tx: Db,
  holder: FlagHolder,
  type: FlagType,
  after: FlagAfter,
  at: string,
): Promise<number> {
  const { bugId, attachmentId = null } = holder
  try {
    const row = await tx.first(insert, { ...rowOf(after, at), typeId: type.id, bugId, attachmentId })
    return row?.id as number
  } catch (fault) {
    throw tx.dialect.isForeignKeyViolation(fault) ? errors.no_such_object({ what: 'flag type', ref: type.name }) : fault
  }
}

export async function updateFlag(tx: Db, id: number, after: FlagAfter, at: string) {
  await tx.all(update, { ...rowOf(after, at), id })
}

function rowOf({ status, setterId, requestee }: FlagAfter, at: string): FlagRow {
  return { status, setterId, requesteeId: requestee?.id ?? null, at }
}

const withFlags = statement<{ bugIds: string }>()((q, p, d) =>
  q.selectFrom('flags').select('bug_id').distinct().where('bug_id', 'in', d.integersIn(p.bugIds)),
)

/** The bugs among these that have flags, or attachments with flags. */
export async function flaggedAmong(tx: Db, bugIds: readonly number[]): Promise<Set<number>> {
  if (bugIds.length === 0) return new Set()
  return new Set((await tx.all(withFlags, { bugIds: JSON.stringify(bugIds) })).map((row) => row.bug_id))
}
