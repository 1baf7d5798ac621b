import { apiAddressOf } from '../api/api-address.ts'
import { type CodeSource, hasRepository, type SourceKind } from './code-source.ts'

/** A change as its source calls it. */
export interface ChangeName {
  repository: string
  number: string
}

/** Where the pages of changes are, below the address of the source. */
const PATHS: Readonly<Record<SourceKind, RegExp | undefined>> = {
  github: /^\/([^/]+\/[^/]+)\/pull\/(\d{1,10})(?:\/|$)/,
  forgejo: /^\/([^/]+\/[^/]+)\/pulls\/(\d{1,10})(?:\/|$)/,
  gitlab: /^\/(.+)\/-\/merge_requests\/(\d{1,10})(?:\/|$)/,
  gerrit: /^\/c\/(.+)\/\+\/(\d{1,10})(?:\/|$)/,
  phabricator: /^\/()(D\d{1,10})(?:\/|$)/,
  git: undefined,
}

/** The change of this source that is at this address; undefined if the address is of another server or repository, or of something else. */
export function changeAt(source: CodeSource, address: string): ChangeName | undefined {
  const api = apiAddressOf(source)
  if (api === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const base = pagesOf(api)
  if (url.host !== base.host || !url.pathname.startsWith(base.path)) return undefined
  const [, repository = '', number = ''] = PATHS[source.kind]?.exec(url.pathname.slice(base.path.length)) ?? []
  if (number === '' || !hasRepository(source, repository)) return undefined
  return { repository, number }
}

/** Where the pages are of a server whose API is there. */
function pagesOf(api: string): { host: string; path: string } {
  const { host, pathname } = new URL(api)
  return {
    host: host === 'api.github.com' ? 'github.com' : host,
    path: pathname.replace(/\/(?:api(?:\/v\d+)?)?\/?$/, ''),
  }
}
