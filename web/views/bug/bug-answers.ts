// What the REST API returns about one bug.

import { bugCalls } from '../../../shared/first-calls.ts'
import { lastSeen } from '../../core/server/rest.ts'
import type { Attachment, Bug, Comment, Field, HistoryEntry } from '../../core/server/types.ts'
import type { CommentAnswer } from './stream/bug-comments.ts'

export interface BugAnswers {
  bug: { bugs: Bug[] }
  comments: CommentAnswer
  history: { bugs: { history: HistoryEntry[] }[] }
  attachments: { bugs: Record<string, Attachment[]> }
  fields: { fields: Field[] }
  visit: { last_visit_ts: string }[]
}

/** A bug with everything of it, in one answer. */
export type WholeBug = Bug & { comments: Comment[]; history: HistoryEntry[]; attachments: Attachment[] }

const NAMES = ['bug', 'comments', 'history', 'attachments', 'fields', 'visit'] as const

/** What came with the page, or was read before; undefined where the bug itself was not. */
export function answersSeen(ref: string): Partial<BugAnswers> | undefined {
  const seen = bugCalls(ref).map((call) => lastSeen<unknown>(call))
  return seen[0] === undefined ? undefined : asAnswers(seen)
}

/** Answers to `bugCalls`, in their order. */
export function asAnswers(answers: readonly unknown[]): Partial<BugAnswers> {
  return Object.fromEntries(NAMES.map((name, place) => [name, answers[place]]))
}
