import { Type } from '@sinclair/typebox'
import { call } from '../../../access/call.ts'
import { errors } from '../../../platform/errors.ts'
import { anything, flag, required, text, texts } from '../../../platform/wire/params.ts'
import { AcceptedProposal, DecidedProposals, MaybeProposal } from '../proposal-schema.ts'
import { acceptOne, type DecidedRequest, decideProposals, declineOne } from './decide-proposals.ts'

const resource = 'proposal'
const pathParams = { id: 'Number of a proposal.' }
const MOST = 50
const LONGEST_NOTE = 1000

const rowsParam = texts(
  'Only these rows, by name. By default all that are open and that the caller may read. New bugs and files are accepted as a whole.',
)
const noteParam = text(`Why, for the author, in at most ${LONGEST_NOTE} characters.`)
const dryRunParam = flag('Return what would be done without doing it.')

const accept = call({
  method: 'POST',
  idempotency: 'repeatable',
  path: '/proposal/:id/accept',
  pathParams,
  resource,
  summary: 'Accept a proposal.',
  about:
    'Makes the change in the name of the caller, with their rights and the workflow: all of the rows, or nothing. Nothing is done if something else would be done than the proposal shows, or if what it would change has changed since. Repeating the call does nothing more.',
  params: {
    digest: required(text('The digest of the proposal as the caller has seen it.')),
    rows: rowsParam,
    dry_run: dryRunParam,
  },
  unknownParams: 'refused',
  answers: AcceptedProposal,
  scope: 'write',
  run(context) {
    const { digest, rows, dry_run: isDryRun = false } = context.params
    return acceptOne(context, context.path.id ?? '', { digest, rows, isDryRun })
  },
})

const decline = call({
  method: 'POST',
  idempotency: 'repeatable',
  path: '/proposal/:id/decline',
  pathParams,
  resource,
  summary: 'Decline a proposal.',
  about: 'For users with editbugs in the product, and the assignee, QA contact and reporter of the bug.',
  params: { rows: rowsParam, note: noteParam },
  unknownParams: 'refused',
  answers: MaybeProposal,
  scope: 'write',
  run(context) {
    const { rows, note } = context.params
    return declineOne(context, context.path.id ?? '', { rows, note: noteIn(note) })
  },
})

const Wanted = Type.Object(
  { id: Type.Integer(), digest: Type.Optional(Type.String()) },
  { title: 'WantedDecision', additionalProperties: false },
)

const decide = call({
  method: 'POST',
  idempotency: 'repeatable',
  path: '/proposal/decide',
  resource,
  summary: 'Accept or decline several proposals.',
  about:
    'Each is decided by itself: what is refused is listed under `refused`, and the others are decided. With dry_run nothing is changed, and the response shows what would be.',
  params: {
    decision: required(text('accept or decline.')),
    proposals: required(
      anything(
        `The proposals, such as [{"id": 12, "digest": "…"}], with the digests that the caller has seen; to decline them no digest is needed. At most ${MOST}.`,
        Type.Array(Wanted, { maxItems: MOST }),
      ),
    ),
    note: noteParam,
    dry_run: dryRunParam,
  },
  unknownParams: 'refused',
  answers: DecidedProposals,
  scope: 'write',
  run(context) {
    const { decision, proposals, note, dry_run: isDryRun = false } = context.params
    const wanted = { proposals: proposalsIn(proposals), decision: decisionIn(decision) }
    return decideProposals(context, { ...wanted, note: noteIn(note), isDryRun })
  },
})

function noteIn(note = ''): string {
  if (note.length > LONGEST_NOTE) throw errors.text_too_long({ name: 'note', most: LONGEST_NOTE })
  return note.trim()
}

function decisionIn(decision: string): DecidedRequest['decision'] {
  if (decision === 'accept' || decision === 'decline') return decision
  throw errors.bad_value({ name: 'decision', value: decision, right: 'it must be accept or decline' })
}

function proposalsIn(input: unknown): DecidedRequest['proposals'] {
  const name = 'proposals'
  if (!Array.isArray(input)) throw errors.bad_value({ name, value: input, right: 'it must be a list of proposals' })
  if (input.length > MOST) throw errors.list_too_long({ name, most: MOST })
  return input.map((item) => {
    const { id, digest = '' } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
    if (!Number.isInteger(id) || typeof digest !== 'string')
      throw errors.bad_value({ name, value: item, right: 'each must be an object with id and digest' })
    return { id: id as number, digest }
  })
}

export const decisionRoutes = [accept, decline, decide] as const
