import {
  type BaseState,
  type CheckState,
  type CodeReport,
  NOTHING_REPORTED,
  type ReportedChange,
  type Review,
  type ReviewState,
} from '../linking/code-change.ts'
import { namedBugs, namedInMessage } from '../linking/named-bugs.ts'
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

/** Payloads of GitHub, and those of Forgejo and Gitea, which have nearly the same form. */
export function readGithub(words: SourceWords, event: string, payload: Payload): CodeReport {
  const repository = repositoryAt(payload, 'repository', 'full_name')
  if (repository === '') return NOTHING_REPORTED
  if (event === 'push') return { changes: pushedCommits(words, repository, payload), checks: [] }
  if (event === 'status' || event === 'check_suite' || event === 'check_run')
    return { changes: [], checks: checksIn(repository, event, payload) }
  if (!event.startsWith('pull_request') || partOf(payload, 'pull_request') === undefined) return NOTHING_REPORTED
  const change = changeIn(words, repository, payload)
  return change === undefined ? NOTHING_REPORTED : { changes: [change], checks: [] }
}

function changeIn(words: SourceWords, repository: string, payload: Payload): ReportedChange | undefined {
  const pull = partOf(payload, 'pull_request')
  const number = lineAt(pull, 'number')
  if (!/^\d{1,12}$/.test(number)) return undefined
  const review = reviewIn(payload)
  return {
    kind: 'change',
    key: `${repository}#${number}`,
    repository,
    number,
    address: addressAt(pull, 'html_url'),
    title: lineAt(pull, 'title'),
    author: lineAt(pull, 'user', 'login'),
    state: stateOf(pull),
    head: commitAt(pull, 'head', 'sha'),
    labels: listAt(pull, 20, 'labels').map((label) => lineAt(label, 'name')),
    ...(review && { reviews: [review] }),
    at: momentAt(pull, 'updated_at'),
    createdAt: creationAt(pull, 'created_at'),
    names: namedBugs(words, { title: lineAt(pull, 'title'), text: textAt(pull, 'body') }),
    branch: lineAt(pull, 'base', 'ref'),
  }
}

function stateOf(pull: Payload): BaseState {
  if (flagAt(pull, 'merged') || typeof partOf(pull, 'merged_at') === 'string') return 'merged'
  const state = textAt(pull, 'state')
  if (state === 'closed') return 'closed'
  if (state !== 'open') return 'unknown'
  return flagAt(pull, 'draft') ? 'draft' : 'open'
}

/** A review without a decision leaves that of the same person as it was. */
function reviewIn(payload: Payload): Review | undefined {
  const state =
    REVIEWS.get(textAt(payload, 'review', 'state').toLowerCase()) ?? REVIEWS.get(textAt(payload, 'review', 'type'))
  const user = lineAt(payload, 'review', 'user', 'login') || lineAt(payload, 'sender', 'login')
  return state === undefined || user === '' ? undefined : { user, state }
}

const REVIEWS: ReadonlyMap<string, ReviewState> = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'changes wanted'],
  ['dismissed', 'none'],
  ['pull_request_review_approved', 'approved'],
  ['pull_request_review_rejected', 'changes wanted'],
])

function checksIn(repository: string, event: string, payload: Payload): CodeReport['checks'] {
  const part = event === 'status' ? payload : partOf(payload, event)
  const head = event === 'status' ? commitAt(part, 'sha') : commitAt(part, 'head_sha')
  const name =
    event === 'status' ? lineAt(part, 'context') : lineAt(part, 'name') || lineAt(part, 'app', 'slug') || event
  const result = textAt(part, 'conclusion') || textAt(part, 'state') || textAt(part, 'status')
  const state = CHECKS.get(result)
  if (head === '' || name === '' || state === undefined) return []
  return [{ repository, head, name, state, at: momentAt(part, 'updated_at') }]
}

const CHECKS: ReadonlyMap<string, CheckState> = new Map([
  ['success', 'passed'],
  ['neutral', 'passed'],
  ['skipped', 'passed'],
  ['warning', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['cancelled', 'failed'],
  ['timed_out', 'failed'],
  ['action_required', 'failed'],
  ['startup_failure', 'failed'],
  ['pending', 'running'],
  ['queued', 'running'],
  ['requested', 'running'],
  ['in_progress', 'running'],
])

/** Branches of releases, as BMO reads them. */
const RELEASE_BRANCH = /^releases_v\d+$/

/** Only those on the default branch and on branches of releases: others come again when they are merged. */
function pushedCommits(words: SourceWords, repository: string, payload: Payload): ReportedChange[] {
  const branch = lineAt(payload, 'ref').replace(/^refs\/heads\//, '')
  const isDefault = branch !== '' && branch === lineAt(payload, 'repository', 'default_branch')
  if (!isDefault && !RELEASE_BRANCH.test(branch)) return []
  return listAt(payload, MOST_COMMITS, 'commits').flatMap((commit) => {
    const message = textAt(commit, 'message')
    const author = lineAt(commit, 'author', 'name') || lineAt(commit, 'author', 'username')
    const facts = { repository, branch, author, address: addressAt(commit, 'url'), at: momentAt(commit, 'timestamp') }
    return pushedCommit(words, commitAt(commit, 'id'), message, facts)
  })
}

/** A commit that is on a branch; none if its name is not one or it names no bug. */
export function pushedCommit(
  words: SourceWords,
  id: string,
  message: string,
  facts: Pick<ReportedChange, 'repository' | 'branch' | 'author' | 'address' | 'at'>,
): ReportedChange[] {
  const names = namedInMessage(words, message)
  if (id === '' || names.length === 0) return []
  return [
    {
      ...facts,
      kind: 'commit',
      key: `${facts.repository}@${id}`,
      number: id.slice(0, 12),
      title: lineAt({ line: message.split('\n', 1)[0] }, 'line'),
      state: 'merged',
      head: id,
      names,
    },
  ]
}
