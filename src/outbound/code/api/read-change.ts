import { creationAt, flagAt, lineAt, listAt, momentAt, type Payload, partOf, textAt } from '../incoming/payload.ts'
import { readGerrit } from '../incoming/read-gerrit.ts'
import { readGithub } from '../incoming/read-github.ts'
import { readGitlab } from '../incoming/read-gitlab.ts'
import type { ReportedChange, Review, ReviewState } from '../linking/code-change.ts'
import type { ChangeName } from '../sources/change-address.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { apiAddressOf, conduitRequest, tokenHeaders } from './api-address.ts'
import { type ApiRequest, callApi } from './guarded-api.ts'
import { revisionsIn } from './read-revisions.ts'

/** What an API says, or why it says nothing. `isPassing` if it may say more in a while. */
export type ApiAnswer = { body: Payload } | { fault: string; isPassing: boolean }

/** The API of one source, with its token and the networks that may be reached. */
export interface SourceApi {
  source: CodeSource
  token: string
  networks: string
}

export async function answerOf({ networks }: SourceApi, request: ApiRequest): Promise<ApiAnswer> {
  const result = await callApi(request, networks)
  if (result.status === undefined)
    return { fault: `the API of the source: ${result.fault}`, isPassing: result.isPassing }
  const isPassing = result.status === 429 || result.status >= 500
  if (result.status !== 200) return { fault: `the API of the source answered ${result.status}`, isPassing }
  const refusal = lineAt(result.body, 'error_code')
  return refusal === ''
    ? { body: result.body }
    : { fault: `the API of the source refused: ${refusal}`, isPassing: false }
}

/** Reads a change as it is now, in the form of a report. Its own time is that of the last change at the source. */
export async function readChange(
  it: SourceApi,
  name: ChangeName,
): Promise<ReportedChange | { fault: string; isPassing: boolean }> {
  const answer = await payloadOf(it, name)
  if ('fault' in answer) return answer
  const [change] = changesIn(it.source, answer.body)
  return change ?? { fault: 'the API of the source does not have the change', isPassing: false }
}

function changesIn(source: CodeSource, payload: Payload): readonly ReportedChange[] {
  switch (source.kind) {
    case 'github':
    case 'forgejo':
      return withReviews(readGithub(source, 'pull_request', payload).changes, payload)
    case 'gitlab':
      return withReviews(readGitlab(source, payload).changes, payload)
    case 'gerrit':
      return withReviews(readGerrit(source, payload).changes, payload)
    case 'phabricator':
      return revisionsIn(source, payload, 1)
    case 'git':
      return []
  }
}

function withReviews(changes: readonly ReportedChange[], payload: Payload): ReportedChange[] {
  const reviews = partOf(payload, 'reviews') as Review[]
  return changes.map((change) => ({ ...change, reviews, replacesReviews: true }))
}

/** What the API says, in the form of a webhook, so that it is read by the same code. */
async function payloadOf(it: SourceApi, { repository, number }: ChangeName): Promise<ApiAnswer> {
  const { source, token } = it
  const api = apiAddressOf(source) ?? ''
  const get = (path: string) =>
    answerOf(it, { method: 'GET', url: `${api}${path}`, headers: tokenHeaders(source, token) })
  const encoded = repository.split('/').map(encodeURIComponent).join('/')
  const id = encodeURIComponent(repository)
  switch (source.kind) {
    case 'github':
    case 'forgejo': {
      const path = `/repos/${encoded}/pulls/${number}`
      const [pull, reviews] = await both(get(path), get(`${path}/reviews?per_page=100`))
      if ('fault' in pull) return pull
      const full_name = lineAt(pull.body, 'base', 'repo', 'full_name') || repository
      return { body: { repository: { full_name }, pull_request: pull.body, reviews: pullReviews(reviews) } }
    }
    case 'gitlab': {
      const path = `/projects/${id}/merge_requests/${number}`
      const [request, reviewers] = await both(get(path), get(`${path}/reviewers`))
      return 'fault' in request ? request : { body: mergeRequest(repository, request.body, reviewers) }
    }
    case 'gerrit': {
      const options = ['DETAILED_LABELS', 'DETAILED_ACCOUNTS', 'CURRENT_REVISION', 'CURRENT_COMMIT']
      const change = await get(`/a/changes/${id}~${number}?${options.map((option) => `o=${option}`).join('&')}`)
      return 'fault' in change ? change : { body: gerritChange(change.body, api) }
    }
    case 'phabricator':
      return answerOf(
        it,
        conduitRequest(api, token, 'differential.revision.search', { 'constraints[ids][0]': number.slice(1) }),
      )
    case 'git':
      return { fault: 'a repository of git has no changes under review', isPassing: false }
  }
}

/** The second answer is not needed: without it, there are no reviews. */
async function both(first: Promise<ApiAnswer>, second: Promise<ApiAnswer>): Promise<[ApiAnswer, Payload]> {
  const [one, other] = await Promise.all([first, second])
  return [one, 'fault' in other ? [] : other.body]
}

const MOST_REVIEWS = 100

/** The last decision of each reviewer. */
function pullReviews(list: Payload): Review[] {
  const decided = new Map<string, ReviewState>()
  for (const review of listAt({ list }, MOST_REVIEWS, 'list')) {
    const state = flagAt(review, 'dismissed') ? 'none' : PULL_REVIEWS.get(textAt(review, 'state'))
    const user = lineAt(review, 'user', 'login')
    if (state !== undefined && user !== '') decided.set(user, state)
  }
  return [...decided].map(([user, state]) => ({ user, state }))
}

/** Of GitHub, then of Forgejo where it has other words. */
const PULL_REVIEWS: ReadonlyMap<string, ReviewState> = new Map([
  ['APPROVED', 'approved'],
  ['CHANGES_REQUESTED', 'changes wanted'],
  ['DISMISSED', 'none'],
  ['REQUEST_CHANGES', 'changes wanted'],
])

function mergeRequest(repository: string, request: Payload, reviewers: Payload): Payload {
  const labels = listAt(request, 20, 'labels').map((title) => ({ title }))
  const user = { username: lineAt(request, 'author', 'username') }
  const parts = typeof request === 'object' ? request : {}
  const reviews = listAt({ reviewers }, MOST_REVIEWS, 'reviewers').flatMap((reviewer): Review[] => {
    const state = REVIEWER_STATES.get(textAt(reviewer, 'state'))
    const name = lineAt(reviewer, 'user', 'username')
    return state === undefined || name === '' ? [] : [{ user: name, state }]
  })
  return {
    object_kind: 'merge_request',
    // The address may have other letter case.
    project: { path_with_namespace: lineAt(request, 'references', 'full').replace(/!\d+$/, '') || repository },
    user,
    labels,
    // The author is the one who has opened it.
    object_attributes: {
      ...parts,
      action: 'open',
      url: textAt(request, 'web_url'),
      last_commit: { id: textAt(request, 'sha') },
    },
    reviews,
  }
}

const REVIEWER_STATES: ReadonlyMap<string, ReviewState> = new Map([
  ['approved', 'approved'],
  ['requested_changes', 'changes wanted'],
])

function gerritChange(change: Payload, api: string): Payload {
  const head = textAt(change, 'current_revision')
  const repository = lineAt(change, 'project')
  const number = lineAt(change, '_number')
  const votes = listAt(change, MOST_REVIEWS, 'labels', 'Code-Review', 'all')
  const reviews = votes.flatMap((vote): Review[] => {
    const value = partOf(vote, 'value')
    const user = lineAt(vote, 'username') || lineAt(vote, 'name')
    if (typeof value !== 'number' || value === 0 || value === 1 || user === '') return []
    return [{ user, state: value < 0 ? 'changes wanted' : 'approved' }]
  })
  return {
    change: {
      ...(typeof change === 'object' && change),
      number: Number(number),
      url: `${api}/c/${repository}/+/${number}`,
      commitMessage: textAt(change, 'revisions', head, 'commit', 'message'),
      wip: flagAt(change, 'work_in_progress'),
      private: flagAt(change, 'is_private'),
      createdOn: creationAt(change, 'created'),
    },
    patchSet: { revision: head },
    eventCreatedOn: momentAt(change, 'updated'),
    reviews,
  }
}
