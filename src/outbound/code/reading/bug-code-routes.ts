import { type Static, Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../../access/call.ts'
import { isInsider } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { requireVisibleBugs } from '../../../bugs/values/bug-refs.ts'
import { CHANGE_LINK_TYPES } from '../../../changes/change-links.ts'
import { lineAt, safeAddress } from '../incoming/payload.ts'
import { CHANGE_STATES } from '../linking/code-change.ts'
import { type BugChange, listAttachedLinks, listChangesOfBug, reviewsIn } from './bug-code-store.ts'

const strict = { additionalProperties: false }
const pathParams = { ref: 'Number or alias of a bug.' }

const CodeLink = Type.Object(
  {
    kind: Type.Union([Type.Literal('change'), Type.Literal('commit')]),
    source: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the source that reported it; null for an attachment.',
    }),
    repository: Type.String(),
    number: Type.String({
      description: 'Of the change in its repository, or the beginning of the name of the commit.',
    }),
    url: Type.String(),
    title: Type.String(),
    author: Type.String(),
    state: Type.Union(
      CHANGE_STATES.map((state) => Type.Literal(state)),
      { description: 'merged for a commit, because only those on the default branch are linked.' },
    ),
    checks: Type.Union(['passed', 'failed', 'running', 'unknown'].map((it) => Type.Literal(it))),
    reviews: Type.Array(Type.Object({ user: Type.String(), state: Type.String() }, strict)),
    labels: Type.Array(Type.String()),
    resolves: Type.Boolean({ description: 'Whether a word says that it resolves the bug.' }),
    creation_time: Type.String({ format: 'date-time' }),
    last_change_time: Type.String({ format: 'date-time' }),
    attachment_id: Type.Optional(Type.Integer({ description: 'The attachment that has the address.' })),
  },
  { title: 'CodeLink', ...strict },
)

const getBugCode = call({
  method: 'GET',
  path: '/bug/:ref/code',
  pathParams,
  resource: 'code',
  summary: 'List the changes and commits that name a bug.',
  about:
    'Changes under review first, then commits, each from the oldest on. Attachments that are addresses of changes and that no source has reported are among them, with the state unknown.',
  params: {},
  answers: Type.Object({ bug_id: Type.Integer(), code: Type.Array(CodeLink) }, strict),
  scope: 'read',
  async run(context) {
    const { id, reported, attached } = await codeOf(context)
    return { bug_id: id, code: [...reported.map(presentChange), ...attached.map(({ link }) => link)] }
  },
})

async function codeOf(context: CallContext) {
  const { db, settings, caller, path } = context
  const [id = 0] = await requireVisibleBugs(db, settings, viewerOf(caller), [path.ref ?? ''])
  const reported = await listChangesOfBug(db, id)
  const known = new Set(reported.map(({ address }) => address))
  const links = await listAttachedLinks(db, id, Object.values(CHANGE_LINK_TYPES), isInsider(caller, settings))
  const attached = links.flatMap(({ text, ...attachment }) => {
    const url = safeAddress(text.trim())
    const type = attachment.content_type
    return url === '' || known.has(url) ? [] : [{ type, link: presentAttached(attachment, url) }]
  })
  return { id, reported, attached }
}

function presentChange(change: BugChange): Static<typeof CodeLink> {
  const { kind, source, repository, number, address, title, author, state, checks, resolves } = change
  return {
    ...{ kind, source, repository, number, url: address, title, author, state },
    checks: checks || 'unknown',
    reviews: reviewsIn(change),
    labels: labelsIn(change),
    resolves,
    creation_time: change.created_at,
    last_change_time: change.changed_at,
  }
}

function presentAttached(
  { id, summary, created_at }: { id: number; summary: string; created_at: string },
  url: string,
): Static<typeof CodeLink> {
  const [, repository = '', number = ''] =
    /^https?:\/\/[^/]+\/(?:(.+?)\/(?:pull|pulls|-\/merge_requests|\+)\/)?(D?\d+)\/?$/.exec(url) ?? []
  return {
    kind: 'change',
    source: null,
    ...{ repository, number, url, author: '', state: 'unknown', checks: 'unknown' },
    title: lineAt({ summary }, 'summary'),
    reviews: [],
    labels: [],
    resolves: false,
    creation_time: created_at,
    last_change_time: created_at,
    attachment_id: id,
  }
}

function labelsIn({ details, isPrivate }: BugChange): string[] {
  return isPrivate ? [] : [...details.labels]
}

const PullRequest = Type.Object(
  {
    url: Type.String(),
    number: Type.Integer(),
    repo: Type.String(),
    title: Type.String(),
    state: Type.Union(['draft', 'open', 'closed', 'merged', 'unknown'].map((it) => Type.Literal(it))),
    author: Type.String(),
    labels: Type.Array(Type.String()),
    reviews: Type.Array(Type.Object({ user: Type.String(), state: Type.String() }, strict)),
    inaccessible: Type.Boolean(),
  },
  strict,
)

const getPullRequests = call({
  method: 'GET',
  path: '/githubpr/bug_pull_requests/:ref',
  pathParams,
  resource: 'code',
  summary: 'List the pull requests of a bug in the form of BMO.',
  about: 'Those of GitHub. GET /rest/bug/(ref)/code has all.',
  params: {},
  answers: Type.Object({ pull_requests: Type.Array(PullRequest) }, strict),
  scope: 'read',
  async run(context) {
    const { reported, attached } = await codeOf(context)
    const pulls = reported.filter(({ sourceKind, kind }) => sourceKind === 'github' && kind === 'change')
    const links = attached.filter(({ type }) => type === CHANGE_LINK_TYPES.github)
    return {
      pull_requests: [
        ...pulls.map(presentPull),
        ...links.map(({ link: { repository: repo, ...link } }) => ({
          ...{ url: link.url, number: Number(link.number), repo, title: link.title, state: 'unknown' as const },
          ...{ author: '', labels: [], reviews: [], inaccessible: true },
        })),
      ],
    }
  },
})

function presentPull(pull: BugChange): Static<typeof PullRequest> {
  return {
    url: pull.address,
    number: Number(pull.number),
    repo: pull.repository,
    title: pull.title,
    state: BMO_STATES.get(pull.state) ?? 'open',
    author: pull.author,
    labels: labelsIn(pull),
    reviews: reviewsIn(pull).map(({ user, state }) => ({
      user,
      state: state === 'approved' ? 'APPROVED' : 'CHANGES_REQUESTED',
    })),
    inaccessible: pull.state === 'unknown',
  }
}

/** compat: BMO has no states for reviews. */
const BMO_STATES: ReadonlyMap<string, 'draft' | 'closed' | 'merged' | 'unknown'> = new Map([
  ['draft', 'draft'],
  ['closed', 'closed'],
  ['merged', 'merged'],
  ['unknown', 'unknown'],
])

const Revision = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    status: Type.String(),
    long_status: Type.String(),
    url: Type.String(),
    reviews: Type.Array(Type.Object({ user: Type.String(), status: Type.String() }, strict)),
    sortkey: Type.Integer(),
  },
  strict,
)

const getRevisions = call({
  method: 'GET',
  path: '/phabbugz/bug_revisions/:ref',
  pathParams,
  resource: 'code',
  summary: 'List the revisions of a bug in the form of BMO.',
  about: 'Those of Phabricator. GET /rest/bug/(ref)/code has all.',
  params: {},
  answers: Type.Object({ revisions: Type.Array(Revision) }, strict),
  scope: 'read',
  async run(context) {
    const { reported, attached } = await codeOf(context)
    const revisions = reported.filter(({ sourceKind }) => sourceKind === 'phabricator')
    const links = attached.filter(({ type, link }) => type === CHANGE_LINK_TYPES.phabricator && link.number !== '')
    return {
      revisions: [
        ...revisions.map((revision) => {
          const reviews = reviewsIn(revision).map((review) => ({ user: review.user, status: review.state }))
          return { ...presentRevision(revision.state, { ...revision, url: revision.address }), reviews }
        }),
        ...links.map(({ link }) => presentRevision('unknown', link)),
      ],
    }
  },
})

function presentRevision(state: string, { number, title, url }: { number: string; title: string; url: string }) {
  const [status, long_status] = PHABRICATOR_STATES.get(state) ?? ['unknown', 'Unknown']
  return { id: number, title, status, long_status, url, reviews: [], sortkey: Number(number.slice(1)) }
}

const PHABRICATOR_STATES: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['open', ['needs-review', 'Needs Review']],
  ['draft', ['draft', 'Draft']],
  ['approved', ['accepted', 'Accepted']],
  ['changes wanted', ['needs-revision', 'Needs Revision']],
  ['merged', ['published', 'Closed']],
  ['closed', ['abandoned', 'Abandoned']],
])

export const bugCodeRoutes = [getBugCode, getPullRequests, getRevisions] as const
