import { flagText } from '../../catalogue/flag-types/flag-type.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** A flag, as the history writes it. */
export interface ExistingFlag {
  id: number
  text: string
}

const ofBugs = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('flags')
    .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
    .leftJoin('users', 'users.id', 'flags.requestee_id')
    .select(['flags.id', 'flags.bug_id as holder', 'flags.status', 'flag_types.name', 'users.login'])
    .where('flags.bug_id', 'in', d.integersIn(p.ids))
    .where('flags.attachment_id', 'is', null)
    .orderBy('flags.id'),
)
const ofAttachments = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('flags')
    .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
    .leftJoin('users', 'users.id', 'flags.requestee_id')
    .select(['flags.id', 'flags.attachment_id as holder', 'flags.status', 'flag_types.name', 'users.login'])
    .where('flags.attachment_id', 'in', d.integersIn(p.ids))
    .orderBy('flags.id'),
)

/** The flags of visible bugs, by bug. Those of their attachments are not among them. */
export async function flagsOfBugs(db: Db, bugIds: readonly number[]): Promise<Map<number, ExistingFlag[]>> {
  return byHolder(await db.all(ofBugs, { ids: JSON.stringify(bugIds) }))
}

/** The flags of visible attachments, by attachment. */
export async function flagsOfAttachments(db: Db, ids: readonly number[]): Promise<Map<number, ExistingFlag[]>> {
  return byHolder(await db.all(ofAttachments, { ids: JSON.stringify(ids) }))
}

type FlagRow = (typeof ofBugs)['row'] | (typeof ofAttachments)['row']

function byHolder(rows: readonly FlagRow[]): Map<number, ExistingFlag[]> {
  const flags = Map.groupBy(rows, ({ holder }) => holder ?? 0)
  return new Map(
    [...flags].map(([holder, own]) => [
      holder,
      own.map(({ id, name, status, login }) => ({ id, text: flagText(name, status, login) })),
    ]),
  )
}
