import { readSettings } from '../../../access/installation.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import { addressAt, flagAt, lineAt, listAt, momentAt, type Payload, partOf, textAt } from '../incoming/payload.ts'
import type { BaseState, CodeReport, ReportedChange } from '../linking/code-change.ts'
import { type NamedBug, namedBugs } from '../linking/named-bugs.ts'
import { type CodeSource, hasRepository, type SourceWords } from '../sources/code-source.ts'
import { unsealed } from '../sources/code-source-store.ts'
import { apiAddressOf, conduitRequest } from './api-address.ts'
import type { GuardedApi } from './guarded-api.ts'

/** Adds what the payload lacked and the API of the source knows; `fault` says why it could not be read. */
export async function readLacking(
  { db }: DeliveryContext,
  api: GuardedApi,
  source: CodeSource,
  report: CodeReport,
): Promise<{ report: CodeReport; fault?: string }> {
  const { lacking = [] } = report
  if (lacking.length === 0) return { report }
  const address = apiAddressOf(source)
  if (address === undefined) return { report, fault: 'the source has no address of its API' }
  if (source.token === '') return { report, fault: 'the source has no token for its API' }
  const { token } = await unsealed(db, source)
  const { webhook_networks: networks } = await readSettings(db)
  const params = Object.fromEntries(lacking.map((phid, index) => [`constraints[phids][${index}]`, phid]))
  const request = conduitRequest(address, token, 'differential.revision.search', params)
  const result = await api.send(request, networks)
  if (result.status === undefined) return { report, fault: `the API of the source: ${result.fault}` }
  if (result.status !== 200) return { report, fault: `the API of the source answered ${result.status}` }
  const refusal = lineAt(result.body, 'error_code')
  if (refusal !== '') return { report, fault: `the API of the source refused: ${refusal}` }
  const revisions = listAt(result.body, lacking.length, 'result', 'data')
  const found = revisions.flatMap((revision) => revisionIn(source, revision))
  const changes = [...report.changes, ...found.filter((change) => hasRepository(source, change.repository))]
  return { report: { ...report, changes } }
}

/** All revisions are under one name, because the payload has only the internal name of their repository. */
const REPOSITORY = 'differential'

function revisionIn(words: SourceWords, revision: Payload): ReportedChange[] {
  const id = lineAt(revision, 'id')
  if (!/^\d{1,12}$/.test(id)) return []
  const fields = partOf(revision, 'fields')
  const status = textAt(fields, 'status', 'value')
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
      state: flagAt(fields, 'isDraft') ? 'draft' : (STATES.get(status) ?? 'unknown'),
      head: '',
      ...(review && { review: { user: 'reviewers', state: review } }),
      at: momentAt(fields, 'dateModified'),
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
