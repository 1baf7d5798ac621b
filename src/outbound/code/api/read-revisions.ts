import {
  addressAt,
  creationAt,
  flagAt,
  lineAt,
  listAt,
  momentAt,
  type Payload,
  partOf,
  textAt,
} from '../incoming/payload.ts'
import type { BaseState, ReportedChange } from '../linking/code-change.ts'
import { type NamedBug, namedBugs } from '../linking/named-bugs.ts'
import type { SourceWords } from '../sources/code-source.ts'

/** The revisions that Phabricator has found. */
export function revisionsIn(words: SourceWords, payload: Payload, most: number): ReportedChange[] {
  return listAt(payload, most, 'result', 'data').flatMap((revision) => revisionIn(words, revision))
}

/** All revisions are under one name, because the payload has only the internal name of their repository. */
const REPOSITORY = 'differential'

function revisionIn(words: SourceWords, revision: Payload): ReportedChange[] {
  const id = lineAt(revision, 'id')
  if (!/^\d{1,12}$/.test(id)) return []
  const fields = partOf(revision, 'fields')
  const status = textAt(fields, 'status', 'value')
  const state = STATES.get(status) ?? 'unknown'
  const review = REVIEWS.get(status)
  const title = lineAt(fields, 'title')
  return [
    {
      kind: 'change',
      key: `D${id}`,
      repository: REPOSITORY,
      number: `D${id}`,
      address: addressAt(fields, 'uri'),
      title,
      author: '',
      state: state === 'open' && flagAt(fields, 'isDraft') ? 'draft' : state,
      head: '',
      ...(review && { reviews: [{ user: 'reviewers', state: review }] }),
      at: momentAt(fields, 'dateModified'),
      createdAt: creationAt(fields, 'dateCreated'),
      names: withOwnField(namedBugs(words, { title, text: textAt(fields, 'summary') }), fields),
      branch: '',
    },
  ]
}

/** Installations with a field for the bug have its number there. */
function withOwnField(named: readonly NamedBug[], fields: Payload): NamedBug[] {
  const id = lineAt(fields, 'bugzilla.bug-id')
  if (!/^[1-9]\d{0,8}$/.test(id) || named.some((bug) => bug.id === Number(id))) return [...named]
  return [{ id: Number(id), resolves: false, namedIn: 'title' }, ...named]
}

const STATES: ReadonlyMap<string, BaseState> = new Map([
  ['needs-review', 'open'],
  ['needs-revision', 'open'],
  ['changes-planned', 'open'],
  ['accepted', 'open'],
  ['draft', 'draft'],
  ['published', 'merged'],
  ['abandoned', 'closed'],
])

const REVIEWS = new Map([
  ['accepted', 'approved'],
  ['needs-revision', 'changes wanted'],
  ['needs-review', 'none'],
  ['changes-planned', 'none'],
] as const) as ReadonlyMap<string, 'approved' | 'changes wanted' | 'none'>
