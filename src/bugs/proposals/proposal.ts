import { hash } from 'node:crypto'
import type { BugChange } from '../../changes/record-bug-changes.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { RequestParams } from '../../platform/wire/params.ts'

type Stored<Table extends keyof Database, Column extends keyof Database[Table]> = Database[Table][Column]

/** Which call was proposed: filing a bug, changing one, a comment, attaching a file, changing an attachment. */
export type ProposalKind = Stored<'proposals', 'kind'>
export type ProposalState = Stored<'proposals', 'state'>
export type RowState = Stored<'proposal_rows', 'state'>

export const PROPOSAL_KINDS = [
  'bug',
  'change',
  'comment',
  'attachment',
  'attachment_change',
] as const satisfies readonly ProposalKind[]

export const PROPOSAL_STATES = [
  'open',
  'accepted',
  'declined',
  'withdrawn',
  'expired',
  'outdated',
  'ended',
  'hidden',
] as const satisfies readonly ProposalState[]

/** Kinds whose rows are accepted together or not at all. */
export const WHOLE_KINDS: readonly ProposalKind[] = ['bug', 'attachment']

/** What one field would lose and get. `field` is its name in the history. */
export interface ProposedLine {
  field: string
  removed: string
  added: string
  attachment?: number
  comment?: number
  /** Of the text of a comment that was accepted, which is not kept. */
  sha256?: string
  /** The number of the comment on its bug, when the line is read. */
  commentNumber?: number | undefined
}

/** A part of a proposal that is accepted by itself. It has the name of its field, or of its first one. */
export interface ProposedRow {
  name: string
  /** The parameters of the call that make this part. */
  params: RequestParams
  lines: readonly ProposedLine[]
  isForInsiders: boolean
  isForTimeTrackers: boolean
  /** The bugs that it names. */
  bugs: readonly number[]
}

/** What a call would do, before it is stored. */
export interface DraftProposal {
  kind: ProposalKind
  bugId: number | null
  attachmentId: number | null
  productId: number
  componentId: number | null
  /** The groups of a new bug. */
  groupIds: readonly number[]
  rows: readonly ProposedRow[]
}

export function lineOf({ field, removed, added, attachmentId, commentId }: Omit<BugChange, 'bugId'>): ProposedLine {
  return {
    field,
    removed,
    added,
    ...(attachmentId != null && { attachment: attachmentId }),
    ...(commentId != null && { comment: commentId }),
  }
}

/** A line that only adds something. */
export function addedLine(field: string, added: string): ProposedLine {
  return { field, removed: '', added }
}

/** Whether the same was done as was shown: the same lines, in any order. */
export function areSameLines(some: readonly ProposedLine[], others: readonly ProposedLine[]): boolean {
  const [one, other] = [some, others].map((lines) => lines.map(textOfLine).sort())
  return JSON.stringify(one) === JSON.stringify(other)
}

function textOfLine({ field, removed, added, attachment = 0, comment = 0, sha256 }: ProposedLine) {
  if (field === 'comment') return JSON.stringify([field, removed, sha256 ?? digestOfText(added), attachment])
  return JSON.stringify([field, removed, added, attachment, comment])
}

/** The line without its text, which the comment has now. What it stands for stays, so that a digest does. */
export function withoutText(line: ProposedLine, comment: number | undefined): ProposedLine {
  if (line.field !== 'comment') return line
  return { ...line, added: '', sha256: digestOfText(line.added), ...(comment !== undefined && { comment }) }
}

function digestOfText(text: string) {
  return hash('sha256', text, 'hex')
}

/** Stands for what a reader is shown of a proposal. Who accepts it sends it back, so that nothing else is accepted. */
export function digestOf(
  { id, kind, bug_id }: { id: number; kind: ProposalKind; bug_id: number | null },
  rows: readonly { name: string; lines: readonly ProposedLine[] }[],
): string {
  const shown = rows.map(({ name, lines }) => [name, lines.map(textOfLine)])
  return hash('sha256', JSON.stringify([id, kind, bug_id, shown]), 'hex').slice(0, 32)
}
