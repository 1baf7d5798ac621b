import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { type ProposedLine, withoutText } from '../proposal.ts'
import type { StoredRow } from '../storing/proposal-store.ts'

const noteTarget = statement<{ id: number; bugId: number | null; attachmentId: number | null }>()((q, p) =>
  q.updateTable('proposals').set({ bug_id: p.bugId, attachment_id: p.attachmentId }).where('id', '=', p.id),
)
const setLines = statement<{ rowId: number; lines: string }>()((q, p) =>
  q.updateTable('proposal_rows').set({ lines: p.lines }).where('id', '=', p.rowId),
)
const writtenComment = statement<{ bugId: number; changeId: number }>()((q, p) =>
  q
    .selectFrom('comments')
    .select('id')
    .where('bug_id', '=', p.bugId)
    .where('change_id', '=', p.changeId)
    .orderBy('id')
    .limit(1),
)

interface Written {
  id: number
  bugId: number
  attachmentId: number | null
  changeId: number
  rows: readonly StoredRow[]
}

/**
 * What was accepted is in the bug, under the rules of the bug: the proposal is read by who may read that, and keeps no text, which may be made
 * private or deleted there.
 */
export async function noteWritten(tx: Db, { id, bugId, attachmentId, changeId, rows }: Written) {
  await tx.all(noteTarget, { id, bugId, attachmentId })
  for (const row of rows) {
    const lines = JSON.parse(row.lines) as ProposedLine[]
    if (!lines.some(({ field }) => field === 'comment')) continue
    const comment = (await tx.first(writtenComment, { bugId, changeId }))?.id
    const kept = JSON.stringify(lines.map((line) => withoutText(line, comment)))
    await tx.all(setLines, { rowId: row.id, lines: kept })
  }
}
