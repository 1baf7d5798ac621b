import { type BaseState, type CodeReport, NOTHING_REPORTED, type ReportedChange } from '../linking/code-change.ts'
import { namedInMessage } from '../linking/named-bugs.ts'
import type { SourceWords } from '../sources/code-source.ts'
import {
  addressAt,
  commitAt,
  creationAt,
  flagAt,
  lineAt,
  listAt,
  momentAt,
  type Payload,
  partOf,
  repositoryAt,
  textAt,
} from './payload.ts'

/** Events of Gerrit's plugin for webhooks, which have the form of its stream of events. */
export function readGerrit(words: SourceWords, payload: Payload): CodeReport {
  const change = partOf(payload, 'change')
  const repository = repositoryAt(change, 'project')
  const number = lineAt(change, 'number')
  if (repository === '' || !/^\d{1,12}$/.test(number)) return NOTHING_REPORTED
  const at = momentAt(payload, 'eventCreatedOn')
  const review = voteIn(payload, 'Code-Review')
  const verified = voteIn(payload, 'Verified')
  const message = textAt(change, 'commitMessage')
  // A private change is seen only by those who are asked to review it.
  const isPrivate = flagAt(change, 'private')
  const reported: ReportedChange = {
    kind: 'change',
    key: `${repository}~${number}`,
    repository,
    number,
    address: addressAt(change, 'url'),
    title: lineAt(change, 'subject'),
    author: lineAt(change, 'owner', 'username') || lineAt(change, 'owner', 'name'),
    ...(isPrivate && { isPrivate }),
    state: stateOf(change),
    head: commitAt(payload, 'patchSet', 'revision'),
    ...(review && { reviews: [{ user: review.user, state: reviewOf(review.value) }] }),
    ...(textAt(payload, 'patchSet', 'kind') === 'REWORK' &&
      textAt(payload, 'type') === 'patchset-created' && { replacesReviews: true }),
    ...(verified &&
      verified.value !== 0 && { checks: { name: verified.user, state: verified.value > 0 ? 'passed' : 'failed' } }),
    at,
    createdAt: creationAt(change, 'createdOn'),
    // Some events have the message, others only its first line.
    names: message === '' ? undefined : namedInMessage(words, message),
    branch: lineAt(change, 'branch'),
  }
  return { changes: [reported], checks: [] }
}

function stateOf(change: Payload): BaseState {
  switch (textAt(change, 'status')) {
    case 'MERGED':
      return 'merged'
    case 'ABANDONED':
      return 'closed'
    case 'NEW':
      return flagAt(change, 'wip') ? 'draft' : 'open'
    default:
      return 'unknown'
  }
}

function reviewOf(value: number) {
  if (value >= 2) return 'approved'
  return value < 0 ? 'changes wanted' : 'none'
}

function voteIn(payload: Payload, label: string): { user: string; value: number } | undefined {
  const vote = listAt(payload, 50, 'approvals').find((it) => textAt(it, 'type') === label)
  const user = lineAt(payload, 'author', 'username') || lineAt(payload, 'author', 'name')
  const value = Number(lineAt(vote, 'value'))
  return vote === undefined || user === '' || !Number.isInteger(value) ? undefined : { user, value }
}
