import { Type } from '@sinclair/typebox'
import { Source } from '../../changes/change-json.ts'
import { Person } from '../reading/person-schema.ts'
import { PROPOSAL_KINDS, PROPOSAL_STATES, type ProposedLine } from './proposal.ts'

const closed = { additionalProperties: false } as const
const Time = Type.String({ format: 'date-time' })

const Line = Type.Object(
  {
    field_name: Type.String({ description: 'As in the history; `comment` is the text of a new comment.' }),
    removed: Type.String(),
    added: Type.String(),
    attachment_id: Type.Optional(Type.Integer()),
    comment_id: Type.Optional(Type.Integer()),
    comment_number: Type.Optional(Type.Integer({ description: 'Of the comment on its bug, as in #c3.' })),
    now: Type.Optional(
      Type.String({ description: 'What is there now, if that is not what was there when it was proposed.' }),
    ),
  },
  { title: 'ProposedLine', ...closed },
)

const Row = Type.Object(
  {
    name: Type.String({ description: 'By which it is accepted or declined.' }),
    changes: Type.Array(Line),
    reason: Type.String(),
    status: Type.Union([Type.Literal('open'), Type.Literal('accepted'), Type.Literal('declined')]),
    is_outdated: Type.Boolean({
      description: 'Something that it would change has changed since: it cannot be accepted.',
    }),
    decided_at: Type.Optional(Time),
    decided_by: Type.Optional(Type.String()),
    change_id: Type.Optional(Type.Integer({ description: 'The change that was made.' })),
  },
  { title: 'ProposedRow', ...closed },
)

export const Proposal = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String({ description: 'Its page.' }),
    digest: Type.String({ description: 'Stands for what is shown of it; to be sent back when it is accepted.' }),
    kind: Type.Union(
      PROPOSAL_KINDS.map((kind) => Type.Literal(kind)),
      { description: 'Filing a bug, changing one, a comment, attaching a file, changing an attachment.' },
    ),
    status: Type.Union(PROPOSAL_STATES.map((state) => Type.Literal(state))),
    bug_id: Type.Optional(Type.Integer({ description: 'Missing for a new bug until it is filed.' })),
    summary: Type.Optional(Type.String({ description: 'Of the bug.' })),
    attachment_id: Type.Optional(Type.Integer()),
    product: Type.String({ description: 'When it was proposed.' }),
    component: Type.Union([Type.String(), Type.Null()], { description: 'When it was proposed.' }),
    batch: Type.Optional(Type.Integer({ description: 'The first proposal of the same call, if that made several.' })),
    author: Type.String({ description: 'Login name of the user for whom it was proposed.' }),
    author_detail: Person,
    source: Source,
    reason: Type.String(),
    created_at: Time,
    expires_at: Time,
    rows: Type.Array(Row, { description: 'What the caller may read of it.' }),
    closed_at: Type.Optional(Time),
    closed_by: Type.Optional(Type.String()),
    note: Type.Optional(Type.String({ description: 'Why it was declined.' })),
    can_accept: Type.Boolean({ description: 'Whether the caller may try; the rights are checked for each row.' }),
    can_decline: Type.Boolean(),
    can_withdraw: Type.Boolean(),
  },
  { title: 'Proposal', ...closed },
)

export const OneProposal = Type.Object({ proposal: Proposal }, closed)
/** Missing if the caller does not see it any more. */
export const MaybeProposal = Type.Object({ proposal: Type.Optional(Proposal) }, closed)
export const Proposals = Type.Object(
  {
    proposals: Type.Array(Proposal, { description: 'The newest first.' }),
    total: Type.Integer({ description: 'How many there are that the caller may read.' }),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The parameter `before` of the next page; null if there are no more.',
    }),
  },
  { title: 'Proposals', ...closed },
)
export const ProposalContent = Type.Object(
  {
    id: Type.Integer(),
    file_name: Type.String(),
    content_type: Type.String(),
    data: Type.String({ contentEncoding: 'base64' }),
  },
  { title: 'ProposalContent', ...closed },
)

const accepted = {
  id: Type.Integer({ description: 'Of the proposal.' }),
  changes: Type.Array(Line, { description: 'What was done, as far as the caller may see it.' }),
  bug_id: Type.Optional(Type.Integer()),
  comment_id: Type.Optional(Type.Integer({ description: 'The new comment.' })),
  attachment_id: Type.Optional(Type.Integer({ description: 'The new attachment.' })),
  change_id: Type.Optional(Type.Integer({ description: 'The change that was made; missing in a dry run.' })),
}

export const AcceptedProposal = Type.Object(
  {
    dry_run: Type.Boolean(),
    ...accepted,
    proposal: Type.Optional(Proposal),
  },
  { title: 'AcceptedProposal', ...closed },
)

export const DecidedProposals = Type.Object(
  {
    dry_run: Type.Boolean(),
    decided: Type.Array(Type.Object(accepted, { title: 'DecidedProposal', ...closed })),
    refused: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          code: Type.Integer({ description: 'Number of the error.' }),
          reason: Type.String({ description: 'Name of the error.' }),
          message: Type.String(),
          field: Type.Optional(Type.String()),
        },
        { title: 'RefusedProposal', ...closed },
      ),
    ),
  },
  { title: 'DecidedProposals', ...closed },
)

export function presentLine({ field, removed, added, attachment, comment, commentNumber }: ProposedLine) {
  return {
    field_name: field,
    removed,
    added,
    ...(attachment !== undefined && { attachment_id: attachment }),
    ...(comment !== undefined && { comment_id: comment }),
    ...(commentNumber !== undefined && { comment_number: commentNumber }),
  }
}

/** The response of a call that was proposed instead of carried out. */
export const Proposed = Type.Object(
  {
    proposal: Proposal,
    proposals: Type.Optional(
      Type.Array(Proposal, { description: 'All of them, if the call proposes to change several bugs.' }),
    ),
    ignored: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Proposed', ...closed },
)
