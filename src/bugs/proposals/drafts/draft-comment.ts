import type { WriteBasis } from '../../../access/write-bugs.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import { makeComment, type WantedComment } from '../../comments/create-comment.ts'
import { idsOfRefs } from '../../values/bug-refs.ts'
import { lineOf, type ProposedLine, type ProposedRow } from '../proposal.ts'
import { type Draft, placesOf, requireFew, tried } from './draft.ts'
import { linesOfComment } from './rows-of-change.ts'

/** What a comment would add. The hours worked are a row of their own, because not every reader sees them. */
export async function draftComment(context: WriteBasis, ref: string, wanted: WantedComment): Promise<Draft> {
  await requireFew(context, 1)
  const { ignored, changes } = await tried(context, (_, current) => makeComment(current, ref, wanted))
  const bugId = (await idsOfRefs(context.db, [ref])).get(ref) ?? 0
  const place = (await placesOf(context.db, [bugId])).get(bugId)
  if (place === undefined) return { proposals: [] }
  const rows = [rowOfText(wanted), ...rowsOfHours(wanted.workTime, changes)]
  return {
    proposals: [{ kind: 'comment', bugId, attachmentId: null, groupIds: [], ...place, rows }],
    ignored,
  }
}

/** All that the comment adds, in the rows together. */
export function linesOfProposedComment(wanted: WantedComment, changes: readonly BugChange[]): ProposedLine[] {
  return [rowOfText(wanted), ...rowsOfHours(wanted.workTime, changes)].flatMap(({ lines }) => lines)
}

function rowOfText({ text, isPrivate, isMarkdown = false, tags = [] }: WantedComment): ProposedRow {
  return {
    name: 'comment',
    params: { comment: text, is_private: isPrivate, is_markdown: isMarkdown, comment_tags: tags },
    lines: linesOfComment({ text, isPrivate, isMarkdown, tags }),
    isForInsiders: isPrivate,
    isForTimeTrackers: false,
    bugs: [],
  }
}

/** Hours of work, with the hours that are left then. */
function rowsOfHours(input: unknown, changes: readonly BugChange[]): ProposedRow[] {
  if (changes.length === 0) return []
  const lines = changes.map(lineOf)
  return [
    { name: 'work_time', params: { work_time: input }, lines, isForInsiders: false, isForTimeTrackers: true, bugs: [] },
  ]
}
