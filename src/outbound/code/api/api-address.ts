import type { CodeSource, SourceKind } from '../sources/code-source.ts'
import type { ApiRequest } from './guarded-api.ts'

/** Where the API of a source is, if its administrator has not entered another address. */
const USUAL_ADDRESSES: Readonly<Record<SourceKind, string>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  forgejo: 'https://codeberg.org/api/v1',
  gerrit: '',
  phabricator: '',
  git: '',
}

/** Undefined for a source without an API. */
export function apiAddressOf({ kind, api_address }: CodeSource): string | undefined {
  return api_address || USUAL_ADDRESSES[kind] || undefined
}

/** The headers that show the token of a source; Phabricator has it in the body. */
export function tokenHeaders({ kind }: CodeSource, token: string): Record<string, string> {
  switch (kind) {
    case 'github':
      return { Authorization: `Bearer ${token}`, Accept: 'application/vnd.github+json' }
    case 'gitlab':
      return { 'PRIVATE-TOKEN': token }
    case 'forgejo':
      return { Authorization: `token ${token}` }
    case 'gerrit':
      return { Authorization: `Basic ${Buffer.from(token).toString('base64')}` }
    default:
      return {}
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A request that comments on a change at its source; undefined where there is none. */
export function commentRequest(
  source: CodeSource,
  token: string,
  { repository, number }: { repository: string; number: string },
  text: string,
): ApiRequest | undefined {
  const api = apiAddressOf(source)
  if (api === undefined) return undefined
  const post = (path: string, body: object): ApiRequest => ({
    method: 'POST',
    url: `${api}${path}`,
    headers: { ...tokenHeaders(source, token), ...JSON_TYPE },
    body: JSON.stringify(body),
  })
  const encoded = repository.split('/').map(encodeURIComponent).join('/')
  switch (source.kind) {
    case 'github':
    case 'forgejo':
      return post(`/repos/${encoded}/issues/${number}/comments`, { body: text })
    case 'gitlab':
      return post(`/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`, { body: text })
    case 'gerrit':
      return post(`/a/changes/${number}/revisions/current/review`, { message: text })
    case 'phabricator':
      return conduitRequest(api, token, 'differential.revision.edit', {
        objectIdentifier: number,
        'transactions[0][type]': 'comment',
        'transactions[0][value]': text,
      })
    case 'git':
      return undefined
  }
}

/** A request that only shows whether the token is accepted. */
export function testRequest(source: CodeSource, token: string): ApiRequest | undefined {
  const api = apiAddressOf(source)
  if (api === undefined) return undefined
  if (source.kind === 'phabricator') return conduitRequest(api, token, 'user.whoami', {})
  const path = source.kind === 'gerrit' ? '/a/accounts/self' : '/user'
  return { method: 'GET', url: `${api}${path}`, headers: tokenHeaders(source, token) }
}

/** Phabricator's API takes forms. */
export function conduitRequest(
  api: string,
  token: string,
  method: string,
  params: Readonly<Record<string, string>>,
): ApiRequest {
  return {
    method: 'POST',
    url: `${api}/${method}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ 'api.token': token, ...params }).toString(),
  }
}
