import { type Selectable, sql } from 'kysely'
import { type InsiderParams, isAttachmentReadable } from '../../../access/visibility/reader-rights.ts'
import {
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'
import type { Database, Flag } from '../../../platform/database/tables.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { type PageParams, rowsInPages } from '../../reading/rows-in-pages.ts'
import { creatorOf, isBugVisible, keyOfVariant } from '../../reading/view-variant.ts'
import { isOneOfIds, type OneOrMany } from '../../values/wanted-bugs.ts'

/** The user who reads attachments. */
/** The parts of an attachment that are read only on request. */
export type AttachmentPart = 'creator' | 'flags'

/** An attachment as it is read, without its content. Its flags are JSON text. */
export interface AttachmentRow extends Selectable<Database['attachments']> {
  creator?: string
  flags?: string
}

/** A bug that the reader can see, without attachments that they can see. */
export interface NoAttachment {
  bug_id: number
  id: null
}

type Parts = ReadonlySet<AttachmentPart>
type IdsParams = InsiderParams & { ids: string }
type BugParams = InsiderParams & PageParams

/** The attachments of these bugs that the reader may see, in pages. A visible bug without attachments has one row, NoAttachment. */
export function listAttachmentsOfBugs(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  bugIds: readonly number[],
  parts: Parts,
): AsyncIterableIterator<(AttachmentRow | NoAttachment)[]> {
  const idOf = (row: AttachmentRow | NoAttachment) => row.id
  return rowsInPages(db, bugIds, idOf, (page, many) =>
    db.all(attachmentsOf[many]({ rules, parts }), { ...reader, ...page }),
  )
}

/** The attachments with these ids that the reader may see. */
export function listAttachments(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  ids: readonly number[],
  parts: Parts = new Set(),
): Promise<AttachmentRow[]> {
  return db.all(attachmentsByIds({ rules, parts }), { ...reader, ids: JSON.stringify(ids) })
}

const attachmentsOf = { one: attachmentStatements('one'), many: attachmentStatements('many') }

function attachmentStatements(many: OneOrMany) {
  return statementFamily(keyOfVariant<AttachmentPart>, ({ rules, parts }) =>
    statement<BugParams>()((q, p, d) =>
      bugsVisibleTo(q, d, rules, p)
        .leftJoin('attachments', (join) =>
          join
            .onRef('attachments.bug_id', '=', 'bugs.id')
            .on('attachments.id', '>', p.after)
            .on(isAttachmentReadable(p)),
        )
        .select('bugs.id as bug_id')
        .select(COLUMNS)
        .select(partsOf(d, parts))
        .where(isOneOfIds(d, p.ids, many))
        .orderBy('bugs.id')
        .orderBy('attachments.id')
        .limit(p.most)
        .$castTo<AttachmentRow | NoAttachment>(),
    ),
  )
}

const attachmentsByIds = statementFamily(keyOfVariant<AttachmentPart>, ({ rules, parts }) =>
  statement<IdsParams>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('attachments', 'attachments.bug_id', 'bugs.id')
      .select('bugs.id as bug_id')
      .select(COLUMNS)
      .select(partsOf(d, parts))
      .where('attachments.id', 'in', d.integersIn(p.ids))
      .where(isAttachmentReadable(p))
      .orderBy('attachments.id')
      .$castTo<AttachmentRow>(),
  ),
)

const COLUMNS = [
  'attachments.id',
  'attachments.user_id',
  'attachments.created_at',
  'attachments.changed_at',
  'attachments.file_name',
  'attachments.summary',
  'attachments.content_type',
  'attachments.is_private',
  'attachments.is_obsolete',
  'attachments.is_patch',
  'attachments.size',
  'attachments.content_digest',
] as const

function partsOf(d: Dialect, parts: Parts) {
  const columns = []
  if (parts.has('creator')) columns.push(creatorOf('attachments'))
  if (parts.has('flags')) columns.push(flagsOf(d).as('flags'))
  return columns
}

function flagsOf(d: Dialect) {
  return d.jsonObjectsOf(
    sql`select flags.id, flag_types.name, flags.type_id, flags.status, setter.login as setter, requestee.login as requestee,
        flags.created_at, flags.modified_at
      from flags join flag_types on flag_types.id = flags.type_id join users as setter on setter.id = flags.setter_id
      left join users as requestee on requestee.id = flags.requestee_id
      where flags.attachment_id = attachments.id order by flag_types.sort_key, flag_types.name_key, flags.id`,
    ['id', 'name', 'type_id', 'status', 'setter', 'requestee', 'created_at', 'modified_at'],
  )
}

/** Why a caller may not read an attachment. */
export interface AttachmentAccess {
  id: number
  is_bug_seen: Flag
}

/** The attachments with these ids that exist. */
export function listAttachmentAccess(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<AttachmentAccess[]> {
  return db.all(accessStatements(rules), { ...viewer, ids: JSON.stringify(ids) })
}

const accessStatements = statementFamily(keyOfRules, (rules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) =>
    q
      .selectFrom('attachments')
      .innerJoin('bugs', 'bugs.id', 'attachments.bug_id')
      .select('attachments.id')
      .select(isBugVisible(d, rules, p))
      .where('attachments.id', 'in', d.integersIn(p.ids))
      .orderBy('attachments.id')
      .$castTo<AttachmentAccess>(),
  ),
)
