import type { CallContext } from '../../../access/call.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { attachmentDescription, FLAGS_FIELD, HISTORY_NAMES } from '../../attachments/attachment.ts'
import { type AttachmentRow, listAttachments } from '../../attachments/reading/attachment-view-store.ts'
import { listVisibleStates } from '../../editing/bug-state.ts'
import { valuesOfBug } from '../../editing/changes-in.ts'
import { flagsOfAttachments, flagsOfBugs } from '../../flags/flag-texts.ts'
import { valuesIn } from '../../history/history.ts'
import type { ProposedLine } from '../proposal.ts'

type Values = ReadonlyMap<string, string | readonly string[]>
type Reader = Pick<CallContext, 'db' | 'caller' | 'settings' | 'catalogue'>

/** What bugs and attachments have now. */
export interface CurrentValues {
  /** The product of each bug. */
  products: ReadonlyMap<number, number>
  bugs: ReadonlyMap<number, Values>
  attachments: ReadonlyMap<number, Values>
}

export interface Target {
  bug_id: number | null
  attachment_id: number | null
  product_id: number
}

/** Reads what the targets of proposals have now, for all of them together. */
export async function currentValues(context: Reader, targets: readonly Target[]): Promise<CurrentValues> {
  const { db, settings, caller } = context
  const bugIds = [...new Set(targets.flatMap(({ bug_id }) => bug_id ?? []))]
  const attachmentIds = [...new Set(targets.flatMap(({ attachment_id }) => attachment_id ?? []))]
  if (bugIds.length === 0) return { products: new Map(), bugs: new Map(), attachments: new Map() }
  const fields = await context.catalogue(keptFields)
  const states = await listVisibleStates(db, settings, viewerOf(caller), bugIds)
  const flags = await flagsOfBugs(db, bugIds)
  const textsOf = (own: readonly { text: string }[] = []) => own.map(({ text }) => text)
  const bugs = states.map((state): [number, Values] => [
    state.id,
    new Map([...valuesOfBug(state, fields), [FLAGS_FIELD, textsOf(flags.get(state.id))]]),
  ])
  const attachments =
    attachmentIds.length === 0 ? [] : await listAttachments(db, settings, insiderParams(context), attachmentIds)
  const attachmentFlags = attachmentIds.length === 0 ? new Map() : await flagsOfAttachments(db, attachmentIds)
  return {
    products: new Map(states.map(({ id, product_id }) => [id, product_id])),
    bugs: new Map(bugs),
    attachments: new Map(
      attachments.map((row) => [row.id, valuesOfAttachment(row, textsOf(attachmentFlags.get(row.id)))]),
    ),
  }
}

function valuesOfAttachment(row: AttachmentRow, flags: readonly string[]): Values {
  const description = attachmentDescription(row)
  return new Map<string, string | readonly string[]>([
    ...Object.entries(HISTORY_NAMES).map(([name, field]) => {
      const value = description[name as keyof typeof description]
      return [field, typeof value === 'boolean' ? (value ? '1' : '0') : value] as const
    }),
    [FLAGS_FIELD, flags],
  ])
}

/** What the line would change is no longer as it was: this is what is there now. Undefined if it still is. */
export function valueSince(
  { products, bugs, attachments }: CurrentValues,
  { bug_id, attachment_id, product_id }: Target,
  line: ProposedLine,
): string | undefined {
  if (bug_id === null) return undefined
  const values = attachment_id === null ? bugs.get(bug_id) : attachments.get(attachment_id)
  if (values === undefined) return ''
  if (products.get(bug_id) !== product_id) return String(bugs.get(bug_id)?.get('product') ?? '')
  // A flag of another attachment, which goes with a change of the bug, is looked at when it is accepted.
  const current =
    line.attachment === undefined || line.attachment === attachment_id ? values.get(line.field) : undefined
  if (current === undefined) return undefined
  return isStillSo(current, line) ? undefined : shown(current, line)
}

/** Of a list only the items that would be added or removed matter. */
function isStillSo(current: string | readonly string[], { removed, added }: ProposedLine) {
  if (typeof current === 'string') return current === removed
  const items = [...current]
  const isThere = (item: string) => items.includes(item)
  return valuesIn(removed).every(isThere) && !valuesIn(added).some(isThere)
}

/** Of a list only what the line names: other items may be bugs that the reader may not know of. */
function shown(current: string | readonly string[], { removed, added }: ProposedLine) {
  if (typeof current === 'string') return current
  return [...valuesIn(removed), ...valuesIn(added)].filter((item) => current.includes(item)).join(', ')
}
