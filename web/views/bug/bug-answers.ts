// What the REST API returns about one bug.

import type { AnswerAt } from '../../../client/call-types.ts'
import { bugCalls } from '../../../shared/first-calls.ts'
import { lastSeen } from '../../core/server/rest.ts'
import type { Attachment, Bug, Comment, HistoryEntry } from '../../core/server/types.ts'

type Calls = ReturnType<typeof bugCalls>

/** The answers to `bugCalls`. */
export type BugAnswers = { [Name in keyof Calls]: AnswerAt<Calls[Name]> }

/** A bug with everything of it, in one answer. */
export type WholeBug = Bug & { comments: Comment[]; history: HistoryEntry[]; attachments: Attachment[] }

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
