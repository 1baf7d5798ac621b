import { BUG, CUSTOM_FIELDS, inputOf, namesOf, objectOf, oneOf, paramsOf, REASON } from '../input-schema.ts'
import type { ToolOutcome } from '../marked-data.ts'
import type { Tool } from '../tool.ts'
import { type Tracker, TrackerRefusal } from '../tracker.ts'
import { picked, whyProposed, writtenOutcome } from './written.ts'

/** What agents cannot change: other bugs at the same time, who sees the bug or its comments, and hours. */
const NOT_FOR_AGENTS: ReadonlySet<string> = new Set([
  'ids',
  'dry_run',
  'proposal_reason',
  'proposal_reasons',
  'alias',
  'comment',
  'longdesc',
  'comment_is_private',
  'comment_tags',
  'groups',
  'is_cc_accessible',
  'is_creator_accessible',
  'restrict_comments',
  'estimated_time',
  'remaining_time',
  'work_time',
])

const FIELDS = namesOf('PUT /bug/:ref').filter((name) => !NOT_FOR_AGENTS.has(name))

const CHANGED = oneOf([{ type: 'string' }, { type: 'null' }])

export const changeBug: Tool = {
  name: 'change_bug',
  title: 'Change a bug',
  about:
    'Changes fields of one bug, in two steps. The first call tries the change without making it, and returns the differences and a confirm. Check the differences, then send the same arguments with that confirm to make the change. It is refused if the bug was changed in between.',
  needs: 'write',
  isDestructive: true,
  isIdempotent: true,
  input: inputOf(
    {
      bug: BUG,
      changes: {
        type: 'object',
        properties: paramsOf('PUT /bug/:ref', FIELDS),
        additionalProperties: false,
        description: 'The new values. Lists are changed with add and remove.',
      },
      custom_fields: CUSTOM_FIELDS,
      comment: { type: 'string', minLength: 1, maxLength: 65_535, description: 'A comment on the change.' },
      comment_is_private: { type: 'boolean', description: 'Whether only insiders see the comment.' },
      reason: REASON,
      confirm: { type: 'string', maxLength: 1000, description: 'From the first call, to make the change.' },
    },
    ['bug'],
  ),
  data: objectOf({
    id: { type: 'integer' },
    changes: {
      type: 'object',
      description: 'By field: what is removed and what is added.',
      additionalProperties: {
        type: 'object',
        properties: { removed: CHANGED, added: CHANGED },
      },
    },
    ignored: { type: 'array', items: { type: 'string' } },
    proposal: { type: 'object' },
  }),
  async run(tracker, args) {
    const { confirm } = args as { confirm?: string }
    const params = changeIn(args)
    if (Object.keys(params).length === 0)
      throw refusal('Nothing is to be changed: send changes, custom_fields or a comment.')
    return confirm === undefined
      ? tryChange(tracker, String(args.bug), params)
      : makeChange(tracker, String(args.bug), params, { confirm, ...whyProposed(tracker, args.reason) })
  },
}

type Change = Readonly<Record<string, unknown>>

function changeIn({
  changes = {},
  custom_fields: custom = {},
  comment,
  comment_is_private: isPrivate = false,
}: Change): Change {
  return {
    ...picked(changes as Change, FIELDS),
    ...(custom as object),
    ...(comment !== undefined && { comment: { body: comment, is_private: isPrivate } }),
  }
}

interface Version {
  id: number
  etag: string
  /** The values of the fields that are to be changed, for servers without a dry run. */
  fields: Change
}

async function readVersion(tracker: Tracker, ref: string, names: readonly string[]): Promise<Version> {
  const include = ['id', 'last_change_time', ...(tracker.isLacewing ? [] : names)].join()
  const { body, etag } = await tracker.call('GET', '/bug/:ref', { ref, include_fields: include })
  const bug = (body as { bugs: ({ id: number; last_change_time: string } & Change)[] }).bugs[0]
  return { id: bug?.id ?? 0, etag: etag ?? bug?.last_change_time ?? '', fields: bug ?? {} }
}

async function tryChange(tracker: Tracker, ref: string, params: Change): Promise<ToolOutcome> {
  const version = await readVersion(tracker, ref, Object.keys(params))
  const { id } = version
  const tried = tracker.isLacewing
    ? await dryRun(tracker, id, params)
    : { changes: wantedChanges(version.fields, params), ignored: undefined }
  return {
    says: `Tried only: nothing is changed yet. To make this change of bug ${id}, send the same arguments with the confirm.`,
    isDone: false,
    confirm: `${await digestOf(id, params, version.etag)}.${encoded(version.etag)}`,
    data: { id, changes: tried.changes, ...(tried.ignored !== undefined && { ignored: tried.ignored }) },
  }
}

interface ChangedBug {
  id: number
  changes: Change
}

async function dryRun(tracker: Tracker, id: number, params: Change) {
  const { body } = await tracker.call('PUT', '/bug/:ref', { ref: id, ...params, dry_run: true })
  const { bugs: [bug] = [], ignored } = body as { bugs?: ChangedBug[]; ignored?: string[] }
  return { changes: bug?.changes ?? {}, ignored }
}

/** A Bugzilla would carry out what is only to be tried. */
function wantedChanges(fields: Change, params: Change): Change {
  const words = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, { removed: words(fields[name] ?? ''), added: words(value) }]),
  )
}

interface Confirmed {
  confirm: string
  proposal_reason?: string
}

async function makeChange(
  tracker: Tracker,
  ref: string,
  params: Change,
  { confirm, ...reason }: Confirmed,
): Promise<ToolOutcome> {
  const [digest, etag] = [confirm.slice(0, confirm.indexOf('.')), decoded(confirm.slice(confirm.indexOf('.') + 1))]
  const version = await readVersion(tracker, ref, [])
  if (etag === undefined || digest !== (await digestOf(version.id, params, etag)))
    throw refusal('The confirm does not belong to this change: try the change first, without confirm.')
  if (!tracker.isLacewing && version.etag !== etag) throw changedMeanwhile()
  const headers: Record<string, string> = tracker.isLacewing ? { 'If-Match': etag } : {}
  const answer = await tracker
    .call('PUT', '/bug/:ref', { ref: version.id, ...params, ...reason }, { headers })
    .catch((fault) => {
      throw fault instanceof TrackerRefusal && fault.status === 412 ? changedMeanwhile() : fault
    })
  const { bugs: [bug] = [], ignored } = answer.body as { bugs?: ChangedBug[]; ignored?: string[] }
  const data = { id: version.id, changes: bug?.changes ?? {}, ...(ignored !== undefined && { ignored }) }
  return writtenOutcome(answer, `Bug ${version.id} is changed.`, data)
}

function changedMeanwhile() {
  return refusal(
    'The bug was changed since the change was tried. Read it, and try the change again without confirm.',
    412,
  )
}

function refusal(message: string, status = 400) {
  return new TrackerRefusal({ status, code: status === 412 ? 412 : 0, message })
}

/** Of what is to be changed, so that only what was tried is confirmed. It is no secret. */
async function digestOf(id: number, params: Change, etag: string): Promise<string> {
  const text = JSON.stringify([id, etag, sorted(params)])
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => [name, sorted(part)])
}

function encoded(etag: string): string {
  return btoa(etag).replaceAll('=', '')
}

function decoded(text: string): string | undefined {
  try {
    const etag = atob(text)
    return /^[\x20-\x7e]{1,300}$/.test(etag) ? etag : undefined
  } catch {
    return undefined
  }
}
