import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { ChangeDetails, StoredChange } from '../linking/code-change.ts'
import { storedFrom } from '../linking/code-change-store.ts'

/** A change or commit that names a bug. */
export interface BugChange extends StoredChange {
  source: string
  sourceKind: string
  namedIn: string
  resolves: boolean
}

const ofBug = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('code_links')
    .innerJoin('code_changes', 'code_changes.id', 'code_links.change_id')
    .innerJoin('code_sources', 'code_sources.id', 'code_changes.source_id')
    .selectAll('code_changes')
    .select(['code_sources.name as source', 'code_sources.kind as source_kind'])
    .select(['code_links.named_in', 'code_links.resolves'])
    .where('code_links.bug_id', '=', p.bugId)
    .orderBy('code_changes.kind')
    .orderBy('code_changes.created_at')
    .orderBy('code_changes.id'),
)

/** Changes first, then commits, each from the oldest on. */
export async function listChangesOfBug(db: Db, bugId: number): Promise<BugChange[]> {
  const rows = await db.all(ofBug, { bugId })
  return rows.map(({ source, source_kind, named_in, resolves, ...row }) => ({
    ...storedFrom(row),
    source,
    sourceKind: source_kind,
    namedIn: named_in,
    resolves: resolves === 1,
  }))
}

/** The reviewers who have decided. */
export function reviewsIn({ reviews }: ChangeDetails): { user: string; state: string }[] {
  return Object.entries(reviews).flatMap(([user, [state]]) => (state === 'none' ? [] : [{ user, state }]))
}

const attached = statement<{ bugId: number; types: string; most: number; isInsider: number }>()((q, p, d) =>
  q
    .selectFrom('attachments')
    .innerJoin('attachment_texts', 'attachment_texts.attachment_id', 'attachments.id')
    .select(['attachments.id', 'attachments.summary', 'attachments.content_type', 'attachments.created_at'])
    .select('attachment_texts.text')
    .where('attachments.bug_id', '=', p.bugId)
    .where('attachments.is_obsolete', '=', 0)
    .where('attachments.is_private', '<=', p.isInsider)
    .where('attachments.content_type', 'in', d.textsIn(p.types))
    .orderBy('attachments.id')
    .limit(p.most),
)

const MOST_ATTACHED = 200

/** The attachments of a bug that are addresses of changes, as BMO's are. */
export function listAttachedLinks(db: Db, bugId: number, types: readonly string[], isInsider: boolean) {
  const params = { bugId, types: JSON.stringify(types), most: MOST_ATTACHED, isInsider: isInsider ? 1 : 0 }
  return db.all(attached, params)
}
