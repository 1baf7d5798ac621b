import {
  type BaseState,
  type CheckState,
  type CodeReport,
  NOTHING_REPORTED,
  type ReportedChange,
  type Review,
  type ReviewState,
} from '../linking/code-change.ts'
import { namedBugs } from '../linking/named-bugs.ts'
import type { SourceWords } from '../sources/code-source.ts'
import {
  addressAt,
  commitAt,
  creationAt,
  flagAt,
  lineAt,
  listAt,
  MOST_COMMITS,
  momentAt,
  type Payload,
  partOf,
  repositoryAt,
  textAt,
} from './payload.ts'
import { pushedCommit } from './read-github.ts'

/** Payloads of GitLab, by the kind of object in them. */
export function readGitlab(words: SourceWords, payload: Payload): CodeReport {
  const repository = repositoryAt(payload, 'project', 'path_with_namespace')
  if (repository === '') return NOTHING_REPORTED
  switch (textAt(payload, 'object_kind')) {
    case 'merge_request':
      return { changes: mergeRequestIn(words, repository, payload), checks: [] }
    case 'push':
      return { changes: pushedCommits(words, repository, payload), checks: [] }
    case 'pipeline':
      return { changes: [], checks: pipelineIn(repository, payload) }
    default:
      return NOTHING_REPORTED
  }
}

function mergeRequestIn(words: SourceWords, repository: string, payload: Payload): ReportedChange[] {
  const request = partOf(payload, 'object_attributes')
  const number = lineAt(request, 'iid')
  if (!/^\d{1,12}$/.test(number)) return []
  const reviews = reviewsIn(payload)
  return [
    {
      kind: 'change',
      key: `${repository}!${number}`,
      repository,
      number,
      address: addressAt(request, 'url'),
      title: lineAt(request, 'title'),
      // The payload names only who acted. That is the author when the request is opened.
      author: textAt(request, 'action') === 'open' ? lineAt(payload, 'user', 'username') : '',
      state: stateOf(request),
      head: commitAt(request, 'last_commit', 'id'),
      labels: listAt(payload, 20, 'labels').map((label) => lineAt(label, 'title')),
      ...(reviews.length > 0 && { reviews }),
      at: momentAt(request, 'updated_at'),
      createdAt: creationAt(request, 'created_at'),
      names: namedBugs(words, { title: lineAt(request, 'title'), text: textAt(request, 'description') }),
      branch: lineAt(request, 'target_branch'),
    },
  ]
}

function stateOf(request: Payload): BaseState {
  switch (textAt(request, 'state')) {
    case 'merged':
      return 'merged'
    case 'closed':
      return 'closed'
    case 'opened':
    case 'locked':
      return flagAt(request, 'draft') || flagAt(request, 'work_in_progress') ? 'draft' : 'open'
    default:
      return 'unknown'
  }
}

/** The payload names all reviewers with their states in newer releases; in older ones only who has approved just now, or taken it back. */
function reviewsIn(payload: Payload): Review[] {
  const reviews = listAt(payload, 50, 'reviewers').flatMap((reviewer) => {
    const state = REVIEWS.get(textAt(reviewer, 'state'))
    const user = lineAt(reviewer, 'username')
    return state === undefined || user === '' ? [] : [{ user, state }]
  })
  const state = REVIEWS.get(textAt(payload, 'object_attributes', 'action'))
  const user = lineAt(payload, 'user', 'username')
  return state === undefined || user === ''
    ? reviews
    : [...reviews.filter((review) => review.user !== user), { user, state }]
}

/** Of reviewers, and what somebody who approves does: one of those who must approve, or the last of them. */
const REVIEWS: ReadonlyMap<string, ReviewState> = new Map([
  ['approved', 'approved'],
  ['approval', 'approved'],
  ['requested_changes', 'changes wanted'],
  ['unapproved', 'none'],
  ['unapproval', 'none'],
  ['unreviewed', 'none'],
])

function pipelineIn(repository: string, payload: Payload): CodeReport['checks'] {
  const pipeline = partOf(payload, 'object_attributes')
  const head = commitAt(pipeline, 'sha')
  const state = PIPELINES.get(textAt(pipeline, 'status'))
  if (head === '' || state === undefined) return []
  const at = momentAt(pipeline, partOf(pipeline, 'finished_at') ? 'finished_at' : 'created_at')
  return [{ repository, head, name: 'pipeline', state, at }]
}

const PIPELINES: ReadonlyMap<string, CheckState> = new Map([
  ['success', 'passed'],
  ['skipped', 'passed'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
  ['created', 'running'],
  ['waiting_for_resource', 'running'],
  ['preparing', 'running'],
  ['pending', 'running'],
  ['running', 'running'],
])

function pushedCommits(words: SourceWords, repository: string, payload: Payload): ReportedChange[] {
  const branch = lineAt(payload, 'ref').replace(/^refs\/heads\//, '')
  if (branch === '' || branch !== lineAt(payload, 'project', 'default_branch')) return []
  return listAt(payload, MOST_COMMITS, 'commits').flatMap((commit) => {
    const author = lineAt(commit, 'author', 'name')
    const facts = { repository, branch, author, address: addressAt(commit, 'url'), at: momentAt(commit, 'timestamp') }
    return pushedCommit(words, commitAt(commit, 'id'), textAt(commit, 'message'), facts)
  })
}
