import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { isUnnamed } from '../linking/change-texts.ts'
import type { StoredChange } from '../linking/code-change.ts'
import { storedFrom } from '../linking/code-change-store.ts'

/** A change or commit that names a bug. */
export interface BugChange extends StoredChange {
  source: string
  sourceKind: string
  isPrivate: boolean
  resolves: boolean
}

const ofBug = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('code_links')
    .innerJoin('code_changes', 'code_changes.id', 'code_links.change_id')
    .innerJoin('code_sources', 'code_sources.id', 'code_changes.source_id')
    .selectAll('code_changes')
    .select(['code_sources.name as source', 'code_sources.kind as source_kind', 'code_sources.is_private'])
    .select('code_links.resolves')
    .where('code_links.bug_id', '=', p.bugId)
    .orderBy('code_changes.kind')
    .orderBy('code_changes.created_at')
    .orderBy('code_changes.id'),
)

/** Changes first, then commits, each from the oldest on. */
export async function listChangesOfBug(db: Db, bugId: number): Promise<BugChange[]> {
  const rows = await db.all(ofBug, { bugId })
  return rows.map(({ source, source_kind, is_private, resolves, ...row }) => ({
    ...storedFrom(row),
    source,
    sourceKind: source_kind,
    isPrivate: is_private === 1,
    resolves: resolves === 1,
  }))
}

/** The reviewers who have decided, without those of code that is not public. */
export function reviewsIn({ details: { reviews }, isPrivate }: BugChange): { user: string; state: string }[] {
  if (isPrivate) return []
  return Object.entries(reviews).flatMap(([user, [state]]) =>
    state === 'none' || isUnnamed(user) ? [] : [{ user, state }],
  )
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
