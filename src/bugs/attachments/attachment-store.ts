import { type Selectable, sql } from 'kysely'
import { type Caller, isIn } from '../../access/caller.ts'
import {
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import { conditionsFor } from '../../access/visibility/visible-products.ts'
import { EMPTY_KEY } from '../../platform/contents/content-store.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { type Placeholders, statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import type { Database, Flag } from '../../platform/database/tables.ts'
import type { AttachmentDescription } from './attachment.ts'

/** A bug that has or gets attachments, and what the caller may do in its product. */
export interface AttachmentBug {
  id: number
  product_id: number
  component_id: number
  product: string
  /** 1 if its product is not read-only for the caller. */
  is_editable: Flag
  /** 1 if a group control of the product gives the caller editbugs. */
  gives_editbugs: Flag
  /** 1 if one gives canconfirm. */
  gives_canconfirm: Flag
  restrict_comments: Flag
}

/** Whether the caller may not write comments with an attachment. */
export function isCommentRefused(caller: Caller, bug: AttachmentBug): boolean {
  return bug.restrict_comments === 1 && bug.gives_editbugs === 0 && !isIn(caller, 'editbugs')
}

/** The bugs with these ids that the caller may see. */
export function listAttachmentBugs(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<AttachmentBug[]> {
  return db.all(bugStatements(rules), { ...viewer, ids: JSON.stringify(ids) })
}

const bugStatements = statementFamily(keyOfRules, (rules) =>
  statement<ViewerParams & { ids: string }>()((q, p, d) => {
    const { isEditable, gives } = conditionsFor(d, rules, p.viewerGroups)
    return bugsVisibleTo(q, d, rules, p)
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .select(['bugs.id', 'bugs.product_id', 'bugs.component_id', 'bugs.restrict_comments', 'products.name as product'])
      .select(sql<Flag>`case when ${isEditable} then 1 else 0 end`.as('is_editable'))
      .select(sql<Flag>`case when ${gives('editbugs')} then 1 else 0 end`.as('gives_editbugs'))
      .select(sql<Flag>`case when ${gives('canconfirm')} then 1 else 0 end`.as('gives_canconfirm'))
      .where('bugs.id', 'in', d.integersIn(p.ids))
  }),
)

interface NewAttachment extends Row {
  bugId: number
  userId: number
  size: number
  key: string
}

interface Row
  extends Pick<
    Selectable<Database['attachments']>,
    'file_name' | 'summary' | 'content_type' | 'is_private' | 'is_obsolete' | 'is_patch'
  > {
  at: string
}

function changeableColumns(p: Placeholders<Row>) {
  return {
    changed_at: p.at,
    file_name: p.file_name,
    summary: p.summary,
    content_type: p.content_type,
    is_private: p.is_private,
    is_obsolete: p.is_obsolete,
    is_patch: p.is_patch,
  }
}

const insert = statement<NewAttachment>()((q, p) =>
  q
    .insertInto('attachments')
    .values({
      ...changeableColumns(p),
      bug_id: p.bugId,
      user_id: p.userId,
      created_at: p.at,
      size: p.size,
      content_digest: p.key,
    })
    .returning('id'),
)

export async function insertAttachment(
  tx: BugTransaction,
  description: AttachmentDescription,
  it: Pick<NewAttachment, 'bugId' | 'userId' | 'at' | 'size' | 'key'>,
): Promise<number> {
  return (await tx.first(insert, { ...it, ...rowOf(description, it.at) }))?.id as number
}

const insertText = statement<{ id: number; text: string }>()((q, p) =>
  q.insertInto('attachment_texts').values({ attachment_id: p.id, text: p.text }),
)

/** Stores the text of the attachment for the full-text search. */
export async function insertAttachmentText(tx: BugTransaction, id: number, text: string) {
  await tx.all(insertText, { id, text })
}

const update = statement<Row & { id: number }>()((q, p) =>
  q.updateTable('attachments').set(changeableColumns(p)).where('id', '=', p.id),
)

export async function saveAttachment(tx: BugTransaction, id: number, description: AttachmentDescription, at: string) {
  await tx.all(update, { id, ...rowOf(description, at) })
}

const empty = statement<{ id: number; key: string }>()((q, p) =>
  q.updateTable('attachments').set({ size: 0, content_digest: p.key }).where('id', '=', p.id),
)
const removeText = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('attachment_texts').where('attachment_id', '=', p.id),
)

/** Removes the content of an attachment and its text for the search. The caller frees the stored content itself. */
export async function emptyAttachment(tx: BugTransaction, id: number) {
  await tx.all(empty, { id, key: EMPTY_KEY })
  await tx.all(removeText, { id })
}

function rowOf(it: AttachmentDescription, at: string): Row {
  return {
    at,
    file_name: it.file_name,
    summary: it.summary,
    content_type: it.content_type,
    is_private: it.is_private ? 1 : 0,
    is_obsolete: it.is_obsolete ? 1 : 0,
    is_patch: it.is_patch ? 1 : 0,
  }
}

const bugsOf = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('attachments').select('bug_id').distinct().where('id', 'in', d.integersIn(p.ids)),
)

/** The bugs of these attachments. An attachment never moves to another bug. */
export async function listBugIdsOf(tx: Db, ids: readonly number[]): Promise<number[]> {
  return (await tx.all(bugsOf, { ids: JSON.stringify(ids) })).map((row) => row.bug_id)
}
