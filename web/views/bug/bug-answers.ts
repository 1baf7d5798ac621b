// What the REST API returns about one bug.

import type { AnswerAt } from '../../../client/call-types.ts'
import { bugCalls } from '../../../shared/first-calls.ts'
import { lastSeen } from '../../core/server/known-answers.ts'

type Calls = ReturnType<typeof bugCalls>

/** The answers to `bugCalls`. */
export type BugAnswers = { [Name in keyof Calls]: AnswerAt<Calls[Name]> }

/** What came with the page, or was read before; undefined where the bug itself was not. */
export function answersSeen(ref: string): Partial<BugAnswers> | undefined {
  const { bug, comments, history, attachments, fields, visit } = bugCalls(ref)
  const seen = lastSeen(bug)
  return (
    seen && {
      bug: seen,
      comments: lastSeen(comments),
      history: lastSeen(history),
      attachments: lastSeen(attachments),
      fields: lastSeen(fields),
      visit: lastSeen(visit),
    }
  )
}
