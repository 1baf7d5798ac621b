import { requireLogin } from '../../../access/caller.ts'
import { requireListRoom } from '../../../access/list-limits.ts'
import { type WriteBasis, writeBugs } from '../../../access/write-bugs.ts'
import { recordEvent } from '../../../changes/outbox.ts'
import { ANSWER_MARK } from '../../../changes/readable-history.ts'
import { recordBugChanges } from '../../../changes/record-bug-changes.ts'
import { errors } from '../../../platform/errors.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { commentToChange } from '../edits/edit-comment.ts'
import { countAnswers, isMarkedAsAnswer, setAnswer } from './answer-store.ts'

/** Marks a comment as one that says what was decided, or takes the mark back. Needs editbugs; recorded in the history of the bug. */
export async function markAnswer(basis: WriteBasis, id: number, isAnswer: boolean): Promise<{ is_answer: boolean }> {
  requireLogin(basis.caller)
  return writeBugs(basis, async (tx, current) => {
    const editor = requireLogin(current.caller)
    const { before, rights } = await commentToChange(tx, current, id)
    if (!rights.hasEditbugs) throw errors.not_allowed({ need: 'it needs editbugs in the product' })
    if ((await isMarkedAsAnswer(tx, id)) === isAnswer) return { is_answer: isAnswer }
    const answers = await countAnswers(tx, before.bug_id)
    requireListRoom('answers', answers, answers + (isAnswer ? 1 : -1))
    await setAnswer(tx, id, isAnswer ? 1 : 0)
    const at = timeNow()
    const what = `comment ${before.number}`
    const change = isAnswer ? { removed: '', added: what } : { removed: what, added: '' }
    const line = { bugId: before.bug_id, commentId: id, field: ANSWER_MARK, ...change }
    const history = (await recordBugChanges(tx, editor.id, [line], at)).get(before.bug_id) ?? []
    const facts = { comment_id: id, history }
    await recordEvent(tx, { kind: 'comment.update', bugId: before.bug_id, who: editor.id, at, facts })
    return { is_answer: isAnswer }
  })
}
