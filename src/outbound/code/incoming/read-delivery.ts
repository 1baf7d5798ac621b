import { type CodeReport, NOTHING_REPORTED } from '../linking/code-change.ts'
import { type CodeSource, hasRepository, type SourceWords } from '../sources/code-source.ts'
import {
  addressAt,
  commitAt,
  flagAt,
  lineAt,
  listAt,
  MOST_COMMITS,
  momentAt,
  type Payload,
  repositoryAt,
  textAt,
} from './payload.ts'
import { readGerrit } from './read-gerrit.ts'
import { pushedCommit, readGithub } from './read-github.ts'
import { readGitlab } from './read-gitlab.ts'

export type DeliveryHeaders = Readonly<Record<string, string | undefined>>

/** What a delivery calls itself: its event and its id, which the source chooses. */
export function nameOfDelivery({ kind }: CodeSource, headers: DeliveryHeaders, payload: Payload) {
  const of = (...names: string[]) => lineAt({ it: names.map((name) => headers[name]).find((it) => it) }, 'it')
  switch (kind) {
    case 'github':
      return { event: of('x-github-event'), delivery: of('x-github-delivery') }
    case 'gitlab':
      return { event: of('x-gitlab-event'), delivery: of('idempotency-key', 'webhook-id', 'x-gitlab-event-uuid') }
    case 'forgejo':
      return {
        event: of('x-forgejo-event', 'x-gitea-event'),
        delivery: of('x-forgejo-delivery', 'x-gitea-delivery'),
      }
    case 'gerrit':
      return { event: lineAt(payload, 'type'), delivery: '' }
    case 'phabricator':
      return { event: lineAt(payload, 'object', 'type'), delivery: lineAt(payload, 'action', 'epoch') }
    case 'git':
      return { event: 'push', delivery: '' }
  }
}

/** What the delivery reports, of the repositories that the source may report about. */
export function readDelivery(source: CodeSource, event: string, payload: Payload): CodeReport {
  const { changes, checks, lacking } = reportIn(source, event, payload)
  const isKnown = ({ repository }: { repository: string }) => hasRepository(source, repository)
  return { changes: changes.filter(isKnown), checks: checks.filter(isKnown), ...(lacking && { lacking }) }
}

function reportIn(source: CodeSource, event: string, payload: Payload): CodeReport {
  switch (source.kind) {
    case 'github':
    case 'forgejo':
      return readGithub(source, event, payload)
    case 'gitlab':
      return readGitlab(source, payload)
    case 'gerrit':
      return readGerrit(source, payload)
    case 'phabricator':
      return readPhabricator(payload)
    case 'git':
      return readGit(source, payload)
  }
}

/** The payload only names the revision. */
function readPhabricator(payload: Payload): CodeReport {
  const phid = textAt(payload, 'object', 'phid')
  const isRevision = textAt(payload, 'object', 'type') === 'DREV' && /^PHID-DREV-[a-z0-9]{1,40}$/i.test(phid)
  return isRevision ? { ...NOTHING_REPORTED, lacking: [phid] } : NOTHING_REPORTED
}

/** What `lacewing git-hook` and `lacewing code sync` send. */
function readGit(words: SourceWords, payload: Payload): CodeReport {
  const repository = repositoryAt(payload, 'repository')
  if (repository === '') return NOTHING_REPORTED
  const branch = lineAt(payload, 'branch')
  const changes = listAt(payload, MOST_COMMITS, 'commits').flatMap((commit) => {
    const author = lineAt(commit, 'author')
    const facts = { repository, branch, author, address: addressAt(commit, 'address'), at: momentAt(commit, 'at') }
    return pushedCommit(words, commitAt(commit, 'id'), textAt(commit, 'message'), facts)
  })
  const isPast = flagAt(payload, 'is_past')
  return { changes: changes.map((change) => ({ ...change, isPast })), checks: [] }
}
