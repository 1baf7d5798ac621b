import { writeBugs } from '../../../access/write-bugs.ts'
import { CHANGE_LINK_TYPES } from '../../../changes/change-links.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import { readChange, type SourceApi } from '../api/read-change.ts'
import { safeAddress } from '../incoming/payload.ts'
import { changeAt } from '../sources/change-address.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { applyChange } from './apply-report.ts'
import { deleteUnlinkedChange } from './code-change-store.ts'

/** An attachment of a bug that is, or was, the address of a change. */
interface AttachedLink {
  bugId: number
  /** Empty if it is not one that everybody who sees the bug may read. */
  address: string
  text: string
}

const byId = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('attachments')
    .innerJoin('attachment_texts', 'attachment_texts.attachment_id', 'attachments.id')
    .select(['attachments.bug_id', 'attachments.content_type', 'attachments.is_private', 'attachments.is_obsolete'])
    .select('attachment_texts.text')
    .where('attachments.id', '=', p.id),
)

const TYPES: readonly string[] = Object.values(CHANGE_LINK_TYPES)

export async function findAttachedLink(db: Db, id: number): Promise<AttachedLink | undefined> {
  const row = await db.first(byId, { id })
  if (row === undefined) return undefined
  const isUsed = row.is_private === 0 && row.is_obsolete === 0 && TYPES.includes(row.content_type)
  const text = row.text.trim()
  return { bugId: row.bug_id, text, address: isUsed ? safeAddress(text) : '' }
}

const linkedAt = statement<{ bugId: number; address: string }>()((q, p) =>
  q
    .selectFrom('code_links')
    .innerJoin('code_changes', 'code_changes.id', 'code_links.change_id')
    .select(['code_links.change_id', 'code_links.named_in', 'code_changes.source_id'])
    .where('code_links.bug_id', '=', p.bugId)
    .where('code_changes.address', '=', p.address),
)

/** The changes at this address that the bug is linked to. */
export function listLinksAt(db: Db, bugId: number, address: string) {
  return db.all(linkedAt, { bugId, address })
}

/** The source whose change is at the address and whose API can be asked about it. */
export function sourceFor(sources: readonly CodeSource[], address: string): CodeSource | undefined {
  return sources.find((source) => source.is_active && source.token !== '' && changeAt(source, address) !== undefined)
}

/** Reads the change at its source and links it to the bug. Returns why it should be tried again. */
export async function linkAttached(acting: ActingContext, api: SourceApi, { bugId, address }: AttachedLink) {
  const name = changeAt(api.source, address)
  const change = name === undefined ? undefined : await readChange(api, name)
  if (change === undefined) return undefined
  if ('fault' in change) return change.isPassing ? change.fault : undefined
  const others = (change.names ?? []).filter(({ id }) => id !== bugId)
  await applyChange(acting, api.source, {
    ...change,
    names: [{ id: bugId, resolves: false, namedIn: 'attachment' }, ...others],
  })
  return undefined
}

const unlink = statement<{ bugId: number; changeId: number }>()((q, p) =>
  q
    .deleteFrom('code_links')
    .where('bug_id', '=', p.bugId)
    .where('change_id', '=', p.changeId)
    .where('named_in', '=', 'attachment'),
)

/** The attachment that a link came from is obsolete, private or of another kind now. */
export function unlinkAttached(acting: ActingContext, bugId: number, changeId: number) {
  return writeBugs(acting, async (tx) => {
    await tx.all(unlink, { bugId, changeId })
    await deleteUnlinkedChange(tx, changeId)
  })
}
